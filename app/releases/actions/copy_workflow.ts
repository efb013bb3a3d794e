import StepConfig from '#apps/models/step_config'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { neutralPart } from '../engine/facts.js'
import { workflowReleaseType } from '../engine/release_type.js'
import type Release from '../models/release.js'

/** Columns of a step that come from the app's workflow. */
interface WantedStep {
  stepConfigId: string
  name: string
  type: StepConfig['type']
  groupIndex: number
  position: number
  required: boolean
  destinationId: string | null
}

/** The steps that the app's present workflow gives a release of this type. */
async function wantedSteps(scope: Scope, release: Release): Promise<WantedStep[]> {
  const configs = await scope
    .query(StepConfig)
    .where('appId', release.appId)
    .orderBy('groupIndex')
    .orderBy('position')
    .exec()
  const kind = workflowReleaseType(release.releaseType)
  return configs.flatMap((config) => {
    const applies = config.releaseTypes[kind]
    if (!applies) return []
    const { id: stepConfigId, name, type, groupIndex, position, destinationId } = config
    return [
      { stepConfigId, name, type, groupIndex, position, destinationId, required: applies.required },
    ]
  })
}

/**
 * Brings the steps of a release in line with the app's workflow: all of them in an upcoming
 * release, the untouched ones in an active one. Completed and skipped releases stay as they
 * are. A step counts as touched once it has left `notStarted`, has been restarted, or holds
 * recorded facts.
 */
export async function copyWorkflow(scope: Scope, release: Release): Promise<void> {
  if (release.status === 'completed' || release.status === 'skipped') return
  const wanted = await wantedSteps(scope, release)
  const rows = await scope
    .table('release_steps')
    .join('step_runs', 'step_runs.id', 'release_steps.step_run_id')
    .where('release_steps.release_id', release.id)
    .select('release_steps.*', 'step_runs.attempt', 'step_runs.facts')
  const present = new Map(rows.map((row) => [row.step_config_id as string, row]))
  const isTouched = (row: { status: string; attempt: number; facts: string; type: string }) =>
    release.status === 'active' &&
    (row.status !== 'notStarted' ||
      row.attempt > 1 ||
      row.facts !== JSON.stringify(neutralPart(row.type as StepConfig['type']).facts))

  const wantedIds = new Set(wanted.map((step) => step.stepConfigId))
  for (const row of rows) {
    if (wantedIds.has(row.step_config_id) || isTouched(row)) continue
    if (await holdsTouchedItems(scope, row.id)) continue
    await scope.table('release_steps').where('id', row.id).delete()
  }

  const added: WantedStep[] = []
  for (const step of wanted) {
    const row = present.get(step.stepConfigId)
    if (!row) added.push(step)
    else if (!isTouched(row)) {
      await scope.table('release_steps').where('id', row.id).update({
        name: step.name,
        group_index: step.groupIndex,
        position: step.position,
        required: step.required,
        destination_id: step.destinationId,
      })
    }
  }
  await addSteps(scope, release, added)
}

/** Whether someone set, commented or voted on an item of the step. */
async function holdsTouchedItems(scope: Scope, stepId: string): Promise<boolean> {
  const touched = await scope
    .table('release_items')
    .where('step_id', stepId)
    .where((query) => {
      query.whereNot('status', 'notStarted').orWhereNotNull('comment').orWhereNot('votes', '[]')
    })
    .select('item_id')
    .first()
  return touched !== null
}

async function addSteps(scope: Scope, release: Release, steps: readonly WantedStep[]) {
  const rows = steps.map((step) => ({ ...step, id: newId('step'), runId: newId('run') }))
  await scope.insert(
    'release_steps',
    rows.map((row) => ({
      id: row.id,
      release_id: release.id,
      step_config_id: row.stepConfigId,
      name: row.name,
      type: row.type,
      group_index: row.groupIndex,
      position: row.position,
      required: row.required,
      destination_id: row.destinationId,
      status: 'notStarted',
      status_changed_at: null,
      step_run_id: row.runId,
    }))
  )
  await scope.insert(
    'step_runs',
    rows.map((row) => ({
      id: row.runId,
      release_id: release.id,
      step_id: row.id,
      attempt: 1,
      status: 'notStarted',
      started_at: scope.now,
      completed_at: null,
      facts: JSON.stringify(neutralPart(row.type).facts),
    }))
  )
}

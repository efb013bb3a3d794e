import StepConfig from '#apps/models/step_config'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { neutralPart } from '../engine/facts.js'
import { workflowReleaseType } from '../engine/release_type.js'
import type Release from '../models/release.js'
import { isEnded } from '../open_releases.js'
import { releaseParts } from '../parts.js'
import { stepRows, type StepRow } from '../queries/step_rows.js'
import { releaseSteps, stepRuns } from '../tables.js'

/** What a step takes from the app's workflow. */
type WantedStep = Pick<
  StepRow,
  'stepConfigId' | 'name' | 'type' | 'groupIndex' | 'position' | 'required' | 'destinationId'
>

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
 * are.
 */
export async function copyWorkflow(scope: Scope, release: Release): Promise<void> {
  if (isEnded(release)) return
  const wanted = await wantedSteps(scope, release)
  const rows = await stepRows(scope, release.id)
  const present = new Map(rows.map((row) => [row.stepConfigId, row]))
  const isTouched = (row: StepRow) => release.status === 'active' && isStepTouched(row)

  const wantedIds = new Set(wanted.map((step) => step.stepConfigId))
  const leaving = rows.filter((row) => !wantedIds.has(row.stepConfigId) && !isTouched(row))
  const holding = await touchedByParts(
    scope,
    leaving.map(({ id }) => id)
  )
  for (const { id } of leaving) {
    if (!holding.has(id)) await scope.table('release_steps').where('id', id).delete()
  }
  const added: WantedStep[] = []
  for (const step of wanted) {
    const row = present.get(step.stepConfigId)
    if (!row) added.push(step)
    else if (!isTouched(row)) {
      const { name, groupIndex, position, required, destinationId } = step
      const values = { name, groupIndex, position, required, destinationId }
      await scope.update(releaseSteps, { id: row.id }, values)
    }
  }
  await addSteps(scope, release, added)
}

/** A step is touched once it left `notStarted`, began anew, or holds recorded facts or notes. */
function isStepTouched({ status, attempt, facts, notes, type }: StepRow): boolean {
  return (
    status !== 'notStarted' ||
    attempt > 1 ||
    JSON.stringify(facts) !== JSON.stringify(neutralPart(type).facts) ||
    Object.keys(notes).length > 0
  )
}

/** Those of some steps that a part holds something touched of. */
async function touchedByParts(scope: Scope, stepIds: readonly string[]): Promise<Set<string>> {
  const touched = new Set<string>()
  if (stepIds.length === 0) return touched
  for (const part of releaseParts.parts) {
    for (const id of (await part.touched?.(scope, stepIds)) ?? []) touched.add(id)
  }
  return touched
}

async function addSteps(scope: Scope, release: Release, steps: readonly WantedStep[]) {
  const rows = steps.map((step) => ({ ...step, id: newId('step'), stepRunId: newId('run') }))
  await scope.insert(
    releaseSteps,
    rows.map((row) => ({
      ...row,
      releaseId: release.id,
      status: 'notStarted' as const,
      statusChangedAt: null,
    }))
  )
  await scope.insert(
    stepRuns,
    rows.map((row) => ({
      id: row.stepRunId,
      releaseId: release.id,
      stepId: row.id,
      attempt: 1,
      status: 'notStarted' as const,
      startedAt: scope.now,
      completedAt: null,
      facts: neutralPart(row.type).facts,
      notes: {},
    }))
  )
}

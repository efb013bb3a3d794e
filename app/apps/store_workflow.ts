import StepConfig from './models/step_config.js'
import type { WorkflowStepGroup } from './settings.js'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { appParts } from './parts.js'
import { matchSteps } from './match_steps.js'

/** Archetypes whose work is done once per destination; the others serve all of them. */
const DESTINATION_STEPS: ReadonlySet<ReleaseStepType> = new Set([
  'betaTesting',
  'screenshots',
  'metadata',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
])

interface WorkflowPlace {
  appId: string
  /** The destination of new steps that belong to one. */
  destinationId: string | null
}

/** Makes the workflow of an app that of its configuration; steps that match keep their id. */
export async function storeWorkflow(
  scope: Scope,
  place: WorkflowPlace,
  groups: readonly WorkflowStepGroup[]
): Promise<void> {
  const rows = await scope
    .query(StepConfig)
    .where('appId', place.appId)
    .orderBy(['groupIndex', 'position'])
    .exec()
  const existing = rows.map((row) => ({ name: row.name, archetype: row.type, row }))
  const matched = matchSteps(
    existing,
    groups.flatMap((group) => group.steps)
  )
  const kept = new Set(matched.values())
  const leaving = existing.filter((step) => !kept.has(step)).map(({ row }) => row)
  for (const part of appParts.parts) await part.removeSteps?.(scope, leaving)
  for (const step of leaving) await step.useTransaction(scope.transaction).delete()
  for (const [groupIndex, { steps }] of groups.entries()) {
    for (const [position, step] of steps.entries()) {
      const { name, archetype: type, releaseTypes } = step
      const values = { name, type, releaseTypes, groupIndex, position }
      const row = matched.get(step)?.row
      if (row) await row.useTransaction(scope.transaction).merge(values).save()
      else await addStep(scope, place, values)
    }
  }
}

/** Adds groups of steps after those the app has. */
export async function appendWorkflow(
  scope: Scope,
  place: WorkflowPlace,
  groups: readonly WorkflowStepGroup[]
): Promise<void> {
  const last = await scope
    .table('step_configs')
    .where('app_id', place.appId)
    .max('group_index as last')
    .first()
  const next = last?.last === null || last?.last === undefined ? 0 : Number(last.last) + 1
  for (const [index, group] of groups.entries()) {
    for (const [position, { name, archetype, releaseTypes }] of group.steps.entries()) {
      const groupIndex = next + index
      await addStep(scope, place, { name, type: archetype, releaseTypes, groupIndex, position })
    }
  }
}

type StepValues = Pick<StepConfig, 'name' | 'type' | 'releaseTypes' | 'groupIndex' | 'position'>

async function addStep(scope: Scope, place: WorkflowPlace, values: StepValues): Promise<void> {
  await scope.create(StepConfig, {
    id: newId('sc'),
    appId: place.appId,
    destinationId: DESTINATION_STEPS.has(values.type) ? place.destinationId : null,
    createdAt: scope.now,
    ...values,
  })
}

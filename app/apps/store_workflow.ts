import StepConfig from './models/step_config.js'
import type { WorkflowStepGroup } from './settings.js'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { appExtensions } from './extensions.js'
import { matchSteps } from './match_steps.js'
import type { DestinationIds } from './store_destinations.js'

/** Archetypes whose work is done once per destination. The others serve all destinations. */
const DESTINATION_STEPS: ReadonlySet<ReleaseStepType> = new Set([
  'betaTesting',
  'screenshots',
  'metadata',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
])

/** Returns whether steps of a type are done once per destination. */
export const isPerDestination = (type: ReleaseStepType): boolean => DESTINATION_STEPS.has(type)

/**
 * Makes the workflow of an app match its configuration. Matching steps keep their id. A step
 * without a destination belongs to the first one when its work is done once per destination.
 */
export async function storeWorkflow(
  scope: Scope,
  place: { appId: string; destinationIds: DestinationIds },
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
  for (const extension of appExtensions.all) await extension.removeSteps?.(scope, leaving)
  for (const step of leaving) {
    await step.useTransaction(scope.transaction).delete()
    await yieldToOthers()
  }
  for (const [groupIndex, { steps }] of groups.entries()) {
    for (const [position, step] of steps.entries()) {
      const { name, archetype: type, releaseTypes } = step
      const destinationId = isPerDestination(type)
        ? (place.destinationIds.get(step.destination ?? null) ?? null)
        : null
      const values = { name, type, releaseTypes, groupIndex, position, destinationId }
      const row = matched.get(step)?.row
      if (row) await row.useTransaction(scope.transaction).merge(values).save()
      else await addStep(scope, place.appId, values)
      await yieldToOthers()
    }
  }
}

/** Adds groups of steps for a destination after the existing steps of the app. */
export async function appendWorkflow(
  scope: Scope,
  place: { appId: string; destinationId: string },
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
      const destinationId = isPerDestination(archetype) ? place.destinationId : null
      const values = { name, type: archetype, releaseTypes, groupIndex, position, destinationId }
      await addStep(scope, place.appId, values)
      await yieldToOthers()
    }
  }
}

type StepValues = Pick<
  StepConfig,
  'name' | 'type' | 'releaseTypes' | 'groupIndex' | 'position' | 'destinationId'
>

async function addStep(scope: Scope, appId: string, values: StepValues): Promise<void> {
  await scope.create(StepConfig, { id: newId('sc'), appId, createdAt: scope.now, ...values })
}

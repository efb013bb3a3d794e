import { Type, type Static } from '@sinclair/typebox'
import { entity, list, named, nonEmpty, text, enumOf } from '#foundation/core/schemas'

/** One change that a dry run reports. */
const PlannedChangeEntity = entity('PlannedChange', 'A change that would be made.', {
  op: enumOf(['add', 'change', 'remove'], 'Whether something is added, changed or removed.'),
  path: nonEmpty(
    'Path in the file, such as `stepGroups[1].steps[0].archetype`; `releases[<id>]` for an affected release.',
    2000
  ),
  from: Type.Unknown({ description: 'Current value; null for an addition.' }),
  to: Type.Unknown({ description: 'New value; null for a removal.' }),
  effect: text('Human-readable effect of the change.', 1000),
  releaseId: Type.Optional(nonEmpty('Id of the affected release; absent for the app itself.', 240)),
  events: Type.Optional(
    list(
      'Types of the webhook events sent for the release, in order; absent for the app itself.',
      nonEmpty('Type of the event.', 64),
      1000
    )
  ),
})

/** All changes that would happen, in order. Empty without changes. */
export const PlanEntity = named(
  'Plan',
  Type.Array(PlannedChangeEntity, {
    description: 'All changes that would be made, in order; empty if none.',
    maxItems: 10_000,
  })
)
export type PlanEntity = Static<typeof PlanEntity>

import { Type, type Static } from '@sinclair/typebox'
import { entity, list, named, nonEmpty, text, words } from '#foundation/core/schemas'

/** One change that a dry run reports. */
const PlannedChangeEntity = entity('PlannedChange', 'One thing that would happen.', {
  op: words(['add', 'change', 'remove'], 'Whether something is added, changed or removed.'),
  path: nonEmpty(
    'Path into the file: `stepGroups[1].steps[0].archetype`; `releases[<id>]` for a release that follows.',
    2000
  ),
  from: Type.Unknown({ description: 'What is there now; null if something is added.' }),
  to: Type.Unknown({ description: 'What would be there; null if something is removed.' }),
  effect: text('What follows from it, for people.', 1000),
  releaseId: Type.Optional(
    nonEmpty('Id of the release that follows the change; absent of the app itself.', 240)
  ),
  events: Type.Optional(
    list(
      'Types of the webhook events that are sent of the release, in order; absent of the app.',
      nonEmpty('Type of an event.', 64),
      1000
    )
  ),
})

/** All changes that would happen, in order. Empty without changes. */
export const PlanEntity = named(
  'Plan',
  Type.Array(PlannedChangeEntity, {
    description: 'All that would happen, in order; empty when nothing would.',
    maxItems: 10_000,
  })
)
export type PlanEntity = Static<typeof PlanEntity>

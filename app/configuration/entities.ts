import { Type, type Static } from '@sinclair/typebox'
import { named, words } from '#foundation/core/schemas'

/** One thing that a dry run says would happen. */
export const PlannedChangeEntity = named(
  'PlannedChange',
  Type.Object({
    op: words(['add', 'change', 'remove']),
    /** Into the file: `stepGroups[1].steps[0].archetype`. */
    path: Type.String({ description: 'Path into the file: `stepGroups[1].steps[0].archetype`.' }),
    from: Type.Unknown({ description: 'Null where something is added.' }),
    to: Type.Unknown({ description: 'Null where something is removed.' }),
    effect: Type.String({ description: 'What follows from it, for people.' }),
  })
)

/** All that would happen, in order; empty when nothing would. */
export const PlanEntity = named('Plan', Type.Array(PlannedChangeEntity, { maxItems: 10_000 }))
export type PlanEntity = Static<typeof PlanEntity>

import { Type, type Static } from '@sinclair/typebox'
import { named, words } from '#foundation/core/schemas'

/** One thing that a dry run says would happen. */
export const PlannedChangeEntity = named(
  'PlannedChange',
  Type.Object({
    op: words(['add', 'change', 'remove']),
    /** Into the file: `stepGroups[1].steps[0].archetype`. */
    path: Type.String({
      description:
        'Path into the file: `stepGroups[1].steps[0].archetype`; `releases[<id>]` for a release that follows.',
    }),
    from: Type.Unknown({ description: 'Null where something is added.' }),
    to: Type.Unknown({ description: 'Null where something is removed.' }),
    effect: Type.String({ description: 'What follows from it, for people.' }),
    releaseId: Type.Optional(Type.String({ description: 'The release that follows the change.' })),
    events: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Types of the webhook events that are sent of the release, in order.',
      })
    ),
  })
)

/** All that would happen, in order; empty when nothing would. */
export const PlanEntity = named('Plan', Type.Array(PlannedChangeEntity, { maxItems: 10_000 }))
export type PlanEntity = Static<typeof PlanEntity>

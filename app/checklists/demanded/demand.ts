import type { Static } from '@sinclair/typebox'
import { count, entity, id, list, nonEmpty, nullable, text } from '#foundation/core/schemas'

/** Maximum number of changes that an approval lists individually. */
export const MAX_NAMED = 100

export const ItemDemand = entity(
  'ItemDemand',
  'Why the service requires an approval, or withdraws it.',
  {
    rule: nonEmpty('Kind of change that requires it.', 64),
    changes: list('Descriptions of the changes.', text('A change.', 1000), MAX_NAMED),
    omitted: count('Number of changes not listed.'),
    contentHash: nonEmpty('SHA-256 of the changes that votes apply to.', 64),
    buildId: nullable(id('Id of the distribution build; null if not read.')),
    baseBuildId: nullable(id('Id of the build compared with; null if not read.')),
  }
)
export type ItemDemand = Static<typeof ItemDemand>

/** A demand as it is stored. */
export interface StoredDemand extends ItemDemand {
  /** Identifies what demands the approval, so that its item is found again. */
  key: string
  /** Identifies the compared builds and the version they were compared against. */
  compared: string
}

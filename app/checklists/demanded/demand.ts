import type { Static } from '@sinclair/typebox'
import { count, entity, id, list, nonEmpty, nullable, text } from '#foundation/core/schemas'

/** Maximum number of changes that an approval lists individually. */
export const MOST_NAMED = 100

export const ItemDemand = entity(
  'ItemDemand',
  'Why the service asks for an approval, and takes it back.',
  {
    rule: nonEmpty('The kind of change that asks for it.', 64),
    changes: list('What changed, in words.', text('A change.', 1000), MOST_NAMED),
    omitted: count('How many changes are not named.'),
    contentHash: nonEmpty('SHA-256 of the changes, which votes are for.', 64),
    buildId: nullable(id('Distribution build; null if not read.')),
    baseBuildId: nullable(id('The one it is compared with; null as above.')),
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

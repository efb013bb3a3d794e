import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { Localization } from './store_texts.js'

/** Input of people for a run, separate from the facts that its status is derived from. */
export interface StepNotes {
  comment?: string | null
  url?: string | null
  /** The person who set the status of a regression run by hand. */
  setBy?: Actor
  setAt?: Instant
  /** The person who approved the run or withdrew the approval; the hash is `contentHash`. */
  decidedBy?: Actor
  decidedAt?: Instant
  approvedHash?: string | null
  /** Store texts by locale. `editedBy` is the person who last changed them. */
  localizations?: Localization[]
  editedBy?: Actor
}

import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { Localization } from './store_texts.js'

/** Notes of people at a run, separate from the facts its status is derived from. */
export interface StepNotes {
  comment?: string | null
  url?: string | null
  /** The person who set the status of a regression run by hand. */
  setBy?: Actor
  setAt?: Instant
  /** The person who approved or withdrew the run, and the approved content (`contentHash`). */
  decidedBy?: Actor
  decidedAt?: Instant
  approvedHash?: string | null
  /** Store texts by locale, and who last changed them. */
  localizations?: Localization[]
  editedBy?: Actor
}

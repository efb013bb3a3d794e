import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { Localization } from './store_texts.js'

/** What people noted at a run, apart from the facts its status is derived from. */
export interface StepNotes {
  comment?: string | null
  url?: string | null
  /** Who gave a regression run its status by hand. */
  setBy?: Actor
  setAt?: Instant
  /** Who approved the run, or withdrew that, and what was approved (`contentHash`). */
  decidedBy?: Actor
  decidedAt?: Instant
  approvedHash?: string | null
  /** Store texts by locale, and who last changed them. */
  localizations?: Localization[]
  editedBy?: Actor
}

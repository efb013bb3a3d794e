import type { Instant } from '#foundation/core/clock'
import { MINUTE } from '#foundation/core/durations'

const SLOT = 5 * MINUTE

/** Returns the beginning of the five minutes that an instant is in: metrics are summed over them. */
export const slotOf = (at: Instant): Instant =>
  new Date(Math.floor(Date.parse(at) / SLOT) * SLOT).toISOString()

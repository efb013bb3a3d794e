import type { Instant } from '#foundation/core/clock'
import type { Sample } from './bounds.js'
import type { Day, Spans } from './design_effect.js'

/** The counts of one metric. */
export interface Counts {
  current: Sample
  /** The previous version; null if there was none. */
  baseline: Sample | null
  /** The number of days over which users are summed; absent if none are. */
  spans?: Spans
  /** The previous version by day, the oldest first. */
  days: Day[]
  /** Whole days of users since the stage began. */
  whole?: Sample[]
  /** Milliseconds without any counts, if the provider knows. */
  quiet?: number
  /** The time up to which the counted data reaches; absent if it is complete. */
  reaches?: Instant
}

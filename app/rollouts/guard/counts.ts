import type { Instant } from '#foundation/core/clock'
import type { Sample } from './bounds.js'
import type { Day, Spans } from './design_effect.js'

/** The counts of one metric. */
export interface Counts {
  current: Sample
  /** The version before; null if there was none. */
  baseline: Sample | null
  /** The number of days over which users are summed; absent if none are. */
  spans?: Spans
  /** The version before by day, the oldest first. */
  days: Day[]
  /** Whole days of users since the stage began. */
  whole?: Sample[]
  /** Milliseconds in which nothing came, where the provider knows. */
  quiet?: number
  /** To when the data reaches that was counted; absent if all of it is there. */
  reaches?: Instant
}

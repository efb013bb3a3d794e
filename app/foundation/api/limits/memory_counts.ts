import { MINUTE } from '../../core/durations.js'
import {
  accept,
  countedOf,
  dayOf,
  NOTHING,
  type Accepted,
  type Counted,
  type Limits,
  type RequestCounts,
} from './request_counts.js'

const SWEEP_MS = MINUTE

/** Counts requests in the memory of one process. */
export class MemoryCounts implements RequestCounts {
  readonly reportsChanges = false
  #accepted = new Map<string, Accepted>()
  #sweepAtMs = 0

  /** @param time milliseconds since the epoch */
  constructor(private readonly time: () => number) {}

  async take(key: string, limits: Limits): Promise<Counted> {
    const nowMs = this.time()
    this.#sweep(nowMs)
    const { accepted, taken } = accept(this.#accepted.get(key) ?? NOTHING, 1, limits, nowMs)
    this.#accepted.set(key, accepted)
    return countedOf(taken, 0, limits)
  }

  /** Drops keys without a request today, once a minute. */
  #sweep(nowMs: number) {
    if (nowMs < this.#sweepAtMs && nowMs >= this.#sweepAtMs - SWEEP_MS) return
    this.#sweepAtMs = nowMs + SWEEP_MS
    for (const [key, { day }] of this.#accepted) {
      if (day !== dayOf(nowMs)) this.#accepted.delete(key)
    }
  }
}

import { earlier, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'

/** The longest time for which a value is reused while nothing changes: pages also show times. */
const MAX_MS = 60 * SECOND

interface Kept<Value> {
  changes: string
  at: Instant
  value: Value
}

/**
 * A cache. A value is valid while the number of its organization's changes is the same, and for a
 * minute at most.
 */
export class KeptWhileUnchanged<Value> {
  /** The most recently kept value is at the end. */
  readonly #kept = new Map<string, Kept<Value>>()

  /** @param most how many values are kept */
  constructor(private readonly most: number) {}

  /** @param changes the organization's number of changes as it is now */
  find(key: string, changes: string | undefined, now: Instant): Value | undefined {
    return this.#kept.get(key)?.changes === changes ? this.findLast(key, now) : undefined
  }

  /** Returns the last value even if something changed since; it is a minute old at most. */
  findLast(key: string, now: Instant): Value | undefined {
    const kept = this.#kept.get(key)
    return kept && kept.at > earlier(now, MAX_MS) ? kept.value : undefined
  }

  /** @param changes the number of changes before the value was made; without it, nothing is kept */
  keep(key: string, changes: string | undefined, at: Instant, value: Value): void {
    if (changes === undefined) return
    this.#kept.delete(key)
    this.#kept.set(key, { changes, at, value })
    if (this.#kept.size > this.most) this.#kept.delete(this.#kept.keys().next().value!)
  }
}

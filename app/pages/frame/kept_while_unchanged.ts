import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'

/** The longest time for which an answer is reused while nothing changes: pages show times, too. */
const BELIEVED_MS = 60 * SECOND

interface Kept<Value> {
  number: string
  at: Instant
  value: Value
}

/**
 * Values by their question, each kept for as long as the number of its organization's changes
 * stands, and for a minute at most.
 */
export class KeptWhileUnchanged<Value> {
  /** The most recently kept value is at the end. */
  readonly #kept = new Map<string, Kept<Value>>()

  /** @param most how many values are kept */
  constructor(private readonly most: number) {}

  /** @param number the organization's number as it is now */
  find(question: string, number: string | undefined, now: Instant): Value | undefined {
    return this.#kept.get(question)?.number === number ? this.findLast(question, now) : undefined
  }

  /** Returns what was kept last, whatever changed since; it is a minute old at most. */
  findLast(question: string, now: Instant): Value | undefined {
    const kept = this.#kept.get(question)
    return kept && kept.at > later(now, -BELIEVED_MS) ? kept.value : undefined
  }

  /** @param number the organization's number before the value was made; without one it is not kept */
  keep(question: string, number: string | undefined, at: Instant, value: Value): void {
    if (number === undefined) return
    this.#kept.delete(question)
    this.#kept.set(question, { number, at, value })
    if (this.#kept.size > this.most) this.#kept.delete(this.#kept.keys().next().value!)
  }
}

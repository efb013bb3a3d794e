import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'

/** Longest time that a tag is believed while nothing changes: pages tell times, too. */
const BELIEVED_MS = 60 * SECOND

const MOST_TAGS = 5000

interface Given {
  number: string
  at: Instant
  tag: string
}

/**
 * Tags of pages as they were given out, each with the number of its organization's changes: while
 * that number stands, a browser that names the tag has what it would get, and nothing is asked.
 */
export class GivenTags {
  /** The most recently given tag is at the end. */
  readonly #given = new Map<string, Given>()

  /** @param number what the organization's number is now */
  find(question: string, number: string | undefined, now: Instant): string | undefined {
    const given = this.#given.get(question)
    if (!given || given.number !== number || given.at <= later(now, -BELIEVED_MS)) return undefined
    return given.tag
  }

  keep(question: string, number: string | undefined, at: Instant, tag: string): void {
    if (number === undefined) return
    this.#given.delete(question)
    this.#given.set(question, { number, at, tag })
    if (this.#given.size > MOST_TAGS) this.#given.delete(this.#given.keys().next().value!)
  }
}

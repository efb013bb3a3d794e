import { later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { PageView } from './page.js'

/** Longest time that a tag is believed while nothing changes: pages tell times, too. */
const BELIEVED_MS = 60 * SECOND

const MOST_TAGS = 5000

/** Views weigh more than tags: those of the pages that were given last are kept. */
const MOST_VIEWS = 300

interface Given {
  number: string
  at: Instant
  tag: string
  view: PageView | null
}

/**
 * Tags of pages as they were given out, each with the number of its organization's changes: while
 * that number stands, a browser that names the tag has what it would get, and nothing is asked. One
 * that names another is shown the same view, so that many tabs come to one tag.
 */
export class GivenTags {
  /** The most recently given tag is at the end. */
  readonly #given = new Map<string, Given>()
  readonly #withViews = new Set<Given>()

  /** @param number what the organization's number is now */
  find(question: string, number: string | undefined, now: Instant): Given | undefined {
    const given = this.#given.get(question)
    if (!given || given.number !== number || given.at <= later(now, -BELIEVED_MS)) return undefined
    return given
  }

  keep(question: string, number: string | undefined, at: Instant, tag: string, view: PageView) {
    if (number === undefined) return
    const given: Given = { number, at, tag, view }
    this.#given.delete(question)
    this.#given.set(question, given)
    this.#withViews.add(given)
    if (this.#withViews.size > MOST_VIEWS) {
      const [oldest] = this.#withViews
      oldest.view = null
      this.#withViews.delete(oldest)
    }
    if (this.#given.size > MOST_TAGS) this.#given.delete(this.#given.keys().next().value!)
  }
}

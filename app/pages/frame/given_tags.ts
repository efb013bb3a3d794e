import type { Instant } from '#foundation/core/clock'
import { KeptWhileUnchanged } from './kept_while_unchanged.js'
import type { PageView } from './page.js'

const MOST_TAGS = 5000

/** Views weigh more than tags: those of the pages that were given last are kept. */
const MOST_VIEWS = 300

interface Given {
  tag: string
  view: PageView | null
}

/**
 * Tags of pages as they were given out: while nothing changes, a browser that names the tag has
 * what it would get, and nothing is asked. One that names another is shown the same view, so that
 * many tabs come to one tag.
 */
export class GivenTags {
  readonly #given = new KeptWhileUnchanged<Given>(MOST_TAGS)
  readonly #withViews = new Set<Given>()

  /** @param number the organization's number of changes as it is now */
  find(question: string, number: string | undefined, now: Instant): Given | undefined {
    return this.#given.find(question, number, now)
  }

  keep(question: string, number: string | undefined, at: Instant, tag: string, view: PageView) {
    if (number === undefined) return
    const given: Given = { tag, view }
    this.#given.keep(question, number, at, given)
    this.#withViews.add(given)
    if (this.#withViews.size <= MOST_VIEWS) return
    const [oldest] = this.#withViews
    oldest.view = null
    this.#withViews.delete(oldest)
  }
}

import type { Instant } from '#foundation/core/clock'
import { KeptWhileUnchanged } from './kept_while_unchanged.js'
import type { PageView } from './page.js'

const MAX_TAGS = 5000

/** Views need more memory than tags, so only those of the pages sent last are kept. */
const MAX_VIEWS = 300

interface Given {
  tag: string
  view: PageView | null
}

/**
 * The entity tags of pages as they were sent last. While nothing changes, a browser that has the tag
 * gets a 304 without any read. A browser with another tag gets the same view, so that all tabs end
 * up with one tag.
 */
export class GivenTags {
  readonly #given = new KeptWhileUnchanged<Given>(MAX_TAGS)
  readonly #withViews = new Set<Given>()

  /** @param changes the organization's number of changes as it is now */
  find(key: string, changes: string | undefined, now: Instant): Given | undefined {
    return this.#given.find(key, changes, now)
  }

  keep(key: string, changes: string | undefined, at: Instant, tag: string, view: PageView) {
    if (changes === undefined) return
    const given: Given = { tag, view }
    this.#given.keep(key, changes, at, given)
    this.#withViews.add(given)
    if (this.#withViews.size <= MAX_VIEWS) return
    const [oldest] = this.#withViews
    oldest.view = null
    this.#withViews.delete(oldest)
  }
}

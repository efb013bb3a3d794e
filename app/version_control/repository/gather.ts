import type { Page } from '#plugin-kit/context'

/** An item of a provider's list, with the cursor of its page. */
export interface Gathered<Item> {
  item: Item
  /** Empty for the first page. */
  cursor: string
}

/** The items found, and the cursor to continue from if reading stopped early. */
interface Gathering<Item> {
  rows: Gathered<Item>[]
  cursor: string | null
}

/**
 * Most pages of a provider that one request reads; after a strict filter the next request
 * continues.
 */
export const MAX_PAGES = 20

interface Gather<Item> {
  /** The cursor of the page to begin with; empty for the first. */
  from: string
  limit: number
  isWanted: (item: Item) => boolean
  mostPages?: number
}

/**
 * Reads a provider's pages, whatever their size, until there are enough wanted items, or until the
 * maximum number of pages is read.
 */
export async function gather<Item>(
  read: (cursor?: string) => Promise<Page<Item>>,
  { from, limit, isWanted, mostPages = MAX_PAGES }: Gather<Item>
): Promise<Gathering<Item>> {
  const rows: Gathered<Item>[] = []
  let cursor = from
  for (let pages = 1; ; pages++) {
    const { items, next } = await read(cursor === '' ? undefined : cursor)
    for (const item of items) {
      if (!isWanted(item)) continue
      rows.push({ item, cursor })
      if (rows.length === limit) return { rows, cursor: null }
    }
    if (next === undefined) return { rows, cursor: null }
    if (pages === mostPages) return { rows, cursor: next }
    cursor = next
  }
}

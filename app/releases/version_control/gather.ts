import type { Page } from '#plugin-kit/context'

/** An item of a provider's list, with the cursor of the provider's page it stands on. */
export interface Gathered<Item> {
  item: Item
  /** Empty for the first page. */
  cursor: string
}

/**
 * Reads a provider's pages, whatever their size, until enough of their items are wanted.
 * @param from the cursor of the page to begin with; empty for the first
 */
export async function gather<Item>(
  read: (cursor?: string) => Promise<Page<Item>>,
  { from, limit, isWanted }: { from: string; limit: number; isWanted: (item: Item) => boolean }
): Promise<Gathered<Item>[]> {
  const gathered: Gathered<Item>[] = []
  let cursor = from
  for (;;) {
    const { items, next } = await read(cursor === '' ? undefined : cursor)
    for (const item of items) {
      if (!isWanted(item)) continue
      gathered.push({ item, cursor })
      if (gathered.length === limit) return gathered
    }
    if (next === undefined) return gathered
    cursor = next
  }
}

import type { Page } from '#plugin-kit/context'

type Read<Item> = (cursor?: string) => Promise<Page<Item>>

/** Yields the pages of a provider's list; each is read only when the consumer asks for it. */
export async function* pagesOf<Item>(
  read: Read<Item>,
  maxPages = Infinity
): AsyncGenerator<Item[]> {
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const { items, next } = await read(cursor)
    yield items
    if (next === undefined) return
    cursor = next
  }
}

/** Returns all items of a provider's list, from at most `maxPages` pages. */
export async function everyPage<Item>(read: Read<Item>, maxPages: number): Promise<Item[]> {
  const all: Item[] = []
  for await (const items of pagesOf(read, maxPages)) all.push(...items)
  return all
}

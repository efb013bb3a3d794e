import type { Page } from '#plugin-kit/context'

type Read<Item> = (cursor?: string) => Promise<Page<Item>>

/** The pages of a provider's list, one after the other; the next is read by who asks for it. */
export async function* pagesOf<Item>(read: Read<Item>, most = Infinity): AsyncGenerator<Item[]> {
  let cursor: string | undefined
  for (let pages = 0; pages < most; pages++) {
    const { items, next } = await read(cursor)
    yield items
    if (next === undefined) return
    cursor = next
  }
}

/** All that a provider's list has, of at most so many pages. */
export async function everyPage<Item>(read: Read<Item>, most: number): Promise<Item[]> {
  const all: Item[] = []
  for await (const items of pagesOf(read, most)) all.push(...items)
  return all
}

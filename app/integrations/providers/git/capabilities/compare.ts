import type { Commit } from '#plugin-kit/capabilities/source'
import type { Page, PluginContext } from '#plugin-kit/context'
import { Mirror } from '../mirror/mirror.js'
import { demandCommitName, isHash } from '../names.js'
import { commitOf, commitsBetween } from './commits.js'
import { readCursor, writeCursor } from './cursor.js'

const PAGE = 100

/**
 * How two branches, tags or commits differ. The first page says what they are now; those that
 * follow go on with that, whatever is committed meanwhile.
 * @throws ProviderError `notFound`, `invalid`
 */
export function compare(
  ctx: PluginContext,
  base: string,
  head: string,
  cursor?: string
): Promise<Page<Commit> & { ahead: number; behind: number }> {
  demandCommitName(base)
  demandCommitName(head)
  const place = cursor === undefined ? null : readCursor<[string, string, number]>(cursor, isPlace)
  return Mirror.use(ctx, async (mirror) => {
    const isKnown = place && (await mirror.has(place[0])) && (await mirror.has(place[1]))
    if (!isKnown) await mirror.fetch()
    const from = await commitOf(mirror, place ? place[0] : base)
    const to = await commitOf(mirror, place ? place[1] : head)
    const skip = place ? place[2] : 0
    const range = ['--count', '--left-right', '--end-of-options', `${from}...${to}`]
    const counted = await mirror.line(['rev-list', ...range])
    const [behind, ahead] = counted.split('\t').map(Number)
    const items = await commitsBetween(mirror, { base: from, head: to, skip, most: PAGE })
    const read = skip + items.length
    const next = read < ahead && items.length > 0 ? { next: writeCursor([from, to, read]) } : {}
    return { items, ...next, ahead, behind }
  })
}

function isPlace([base, head, skip, ...more]: unknown[]): boolean {
  return (
    more.length === 0 &&
    typeof base === 'string' &&
    typeof head === 'string' &&
    isHash(base) &&
    isHash(head) &&
    Number.isSafeInteger(skip) &&
    Number(skip) >= 0
  )
}

import type { Commit } from '#plugin-kit/capabilities/source'
import type { Page, PluginContext } from '#plugin-kit/context'
import { Mirror } from '../mirror/mirror.js'
import { demandCommitName, isHash } from '../names.js'
import { commitsBetween, commitsOf } from './commits.js'
import { readCursor, writeCursor } from './cursor.js'

/** Starting git costs more than a commit does. */
const PAGE = 2000

/** Two commits, how many of the second were read, and how many there are on either side. */
type Place = [base: string, head: string, read: number, ahead: number, behind: number]

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
  const place = cursor === undefined ? null : readCursor<Place>(cursor, isPlace)
  return Mirror.use(ctx, async (mirror) => {
    const [from, to, skip, ahead, behind] = place
      ? await stillThere(mirror, place)
      : await beginning(mirror, base, head)
    const items = await commitsBetween(mirror, { base: from, head: to, skip, most: PAGE })
    const read = skip + items.length
    const goesOn = read < ahead && items.length > 0
    const next = goesOn ? { next: writeCursor([from, to, read, ahead, behind]) } : {}
    return { items, ...next, ahead, behind }
  })
}

async function beginning(mirror: Mirror, base: string, head: string): Promise<Place> {
  await mirror.fetch()
  const [from, to] = await commitsOf(mirror, base, head)
  const range = ['--count', '--left-right', '--end-of-options', `${from}...${to}`]
  const counted = await mirror.line(['rev-list', ...range])
  const [behind, ahead] = counted.split('\t').map(Number)
  return [from, to, 0, ahead, behind]
}

/** @throws ProviderError `notFound` where the remote has forced them away meanwhile */
async function stillThere(mirror: Mirror, place: Place): Promise<Place> {
  const [from, to] = place
  if (!(await mirror.has(from, to))) {
    await mirror.fetch()
    await commitsOf(mirror, from, to)
  }
  return place
}

function isPlace([base, head, ...counts]: unknown[]): boolean {
  return (
    typeof base === 'string' &&
    typeof head === 'string' &&
    isHash(base) &&
    isHash(head) &&
    counts.length === 3 &&
    counts.every((each) => Number.isSafeInteger(each) && Number(each) >= 0)
  )
}

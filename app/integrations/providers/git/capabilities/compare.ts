import type { Commit } from '#plugin-kit/capabilities/source'
import type { Page, PluginContext } from '#plugin-kit/context'
import { Mirror } from '../mirror/mirror.js'
import { requireCommitName, isHash } from '../names.js'
import { commitsBetween, commitsOf, commitsOfEitherSide } from './commits.js'
import { readCursor, writeCursor } from './cursor.js'

/** Starting git costs more than a commit does. */
const PAGE = 2000

type Compared = Page<Commit> & { ahead: number; behind: number }

/** Two commits, how many of the second were read, and how many there are on either side. */
type Place = [base: string | null, head: string, read: number, ahead: number, behind: number]

/**
 * Compares two branches, tags or commits; without the first, returns all commits of the second. The
 * first page fixes the compared commits; later pages continue with them, whatever is committed
 * meanwhile.
 * @throws ProviderError `notFound`, `invalid`
 */
export function compare(
  ctx: PluginContext,
  base: string | null,
  head: string,
  cursor?: string
): Promise<Compared> {
  if (base !== null) requireCommitName(base)
  requireCommitName(head)
  const place = cursor === undefined ? null : readCursor<Place>(cursor, isPlace)
  return Mirror.use(ctx, async (mirror) => {
    if (place === null) {
      await mirror.fetch()
      const [to, from = null] = await commitsOf(mirror, ...namesOf(head, base))
      return compared(mirror, from, to)
    }
    return pageOf(mirror, await stillThere(mirror, place))
  })
}

/** Results of comparisons between commits, which never change, with the mirror they are in. */
const known = new Map<string, Compared>()
const MAX_KNOWN = 200
/** Commits that are listed without counting them first. */
const FEW = 500
/** More commits are not kept. */
const MAX_KEPT = 50

/** Returns the first page of what two commits differ by. */
async function compared(mirror: Mirror, from: string | null, to: string): Promise<Compared> {
  const key = [mirror.path(''), from ?? '', to].join('\0')
  const kept = known.get(key)
  if (kept) return { ...kept, items: [...kept.items] }
  const few = await commitsOfEitherSide(mirror, { base: from, head: to, limit: FEW })
  const page = few
    ? { items: few.ahead, ahead: few.ahead.length, behind: few.behind.length }
    : await pageOf(mirror, await beginning(mirror, from, to))
  if (known.size >= MAX_KNOWN) known.clear()
  if (page.ahead <= MAX_KEPT) known.set(key, page)
  return page
}

async function pageOf(mirror: Mirror, [from, to, skip, ahead, behind]: Place): Promise<Compared> {
  const items = await commitsBetween(mirror, { base: from, head: to, skip, limit: PAGE })
  const read = skip + items.length
  const goesOn = read < ahead && items.length > 0
  const next = goesOn ? { next: writeCursor([from, to, read, ahead, behind]) } : {}
  return { items, ...next, ahead, behind }
}

async function beginning(mirror: Mirror, from: string | null, to: string): Promise<Place> {
  if (from === null) {
    const all = await mirror.line(['rev-list', '--count', '--end-of-options', to])
    return [null, to, 0, Number(all), 0]
  }
  const range = ['--count', '--left-right', '--end-of-options', `${from}...${to}`]
  const counted = await mirror.line(['rev-list', ...range])
  const [behind, ahead] = counted.split('\t').map(Number)
  return [from, to, 0, ahead, behind]
}

/** @throws ProviderError `notFound` where the remote has forced them away meanwhile */
async function stillThere(mirror: Mirror, place: Place): Promise<Place> {
  const [from, to] = place
  const names = namesOf(to, from)
  if (!(await mirror.has(...names))) {
    await mirror.fetch()
    await commitsOf(mirror, ...names)
  }
  return place
}

const namesOf = (head: string, base: string | null) => (base === null ? [head] : [head, base])

function isPlace([base, head, ...counts]: unknown[]): boolean {
  return (
    (base === null || (typeof base === 'string' && isHash(base))) &&
    typeof head === 'string' &&
    isHash(head) &&
    counts.length === 3 &&
    counts.every((each) => Number.isSafeInteger(each) && Number(each) >= 0)
  )
}

import { yieldToOthers } from '#foundation/core/yielding'
import type { EdgeCommit } from '../tables.js'
import { RangeWalk } from './range_walk.js'
import type { LineCommit } from './commit_line.js'

/** A commit with its place in a range, and the place at which it entered the line of its branch. */
export interface Mark {
  hash: string
  place: number
  entered: number | null
}

/** A range of commits, as far as a query concerns it. */
export interface AskedRange {
  /** Returns the commits outside that it builds on. */
  edge(): Promise<readonly EdgeCommit[]>
  /** True if `edge` has to read all of its commits. */
  isUnread: boolean
  /** Those of its commits that the query is about. */
  marks: readonly Mark[]
  /** Returns all of its commits, if the marks do not suffice. */
  walk(): Promise<readonly Pick<LineCommit, 'hash' | 'parents'>[]>
}

/** The position of a commit in ranges. */
export interface Seen extends Mark {
  range: AskedRange
}

type Hashes = ReadonlySet<string>

/** The content of the commits that a range builds on. */
interface Before {
  all: readonly { at: number | null; has: Hashes }[]
  /** True if all of them have the same content. */
  areAlike: boolean
}

const NOTHING: Hashes = new Set()
const isOnLine = ({ place, entered }: Mark) => place === entered

/**
 * Answers which of the queried commits another commit contains: those of its own range that precede
 * it, and those before the range, in whatever range they are. A commit on the line of a branch
 * contains exactly the commits that entered at its place or below. For other commits the range is
 * walked, once for all commits of a query.
 */
export class Reach {
  readonly #known = new Map<string, Hashes>()
  readonly #walks = new Map<AskedRange, Promise<RangeWalk>>()

  /** @param seenAt returns the places of a commit; none if it is older than everything observed */
  constructor(private readonly seenAt: (hash: string) => readonly Seen[]) {}

  /** Returns the content of a whole range. */
  async ofRange(range: AskedRange): Promise<Hashes> {
    const found = new Set(range.marks.map(({ hash }) => hash))
    for (const { hash } of await range.edge()) addAll(found, await this.from(hash))
    return found
  }

  /** Returns the content of each commit, including itself. One call at a time. */
  async fromEach(hashes: Iterable<string>): Promise<ReadonlyMap<string, Hashes>> {
    const found = new Map<string, Hashes>()
    const byRange = new Map<AskedRange, Seen[]>()
    for (const hash of new Set(hashes)) {
      const known = this.#known.get(hash)
      const at = known ? undefined : bestOf(this.seenAt(hash))
      if (!at) {
        found.set(hash, known ?? NOTHING)
        continue
      }
      const some = byRange.get(at.range) ?? []
      some.push(at)
      byRange.set(at.range, some)
    }
    for (const [range, some] of byRange) {
      for (const [hash, has] of await this.#inside(range, some)) {
        this.#known.set(hash, has)
        found.set(hash, has)
      }
    }
    return found
  }

  /** Returns the content of one commit, including itself. One call at a time. */
  async from(hash: string): Promise<Hashes> {
    const known = this.#known.get(hash)
    if (known) return known
    // A recursion to the same commit would mean a cycle, which histories do not have.
    this.#known.set(hash, NOTHING)
    const at = bestOf(this.seenAt(hash))
    const found = (at && (await this.#inside(at.range, [at])).get(hash)) ?? NOTHING
    this.#known.set(hash, found)
    return found
  }

  /** Returns the content of commits within one range. */
  async #inside(range: AskedRange, requested: readonly Seen[]): Promise<Map<string, Hashes>> {
    const before = await this.#beforeOf(range)
    const found = new Map<string, Hashes>()
    const open: string[] = []
    for (const at of requested) {
      const has = byMarks(at, range.marks, before)
      if (has) found.set(at.hash, has)
      else open.push(at.hash)
      await yieldToOthers()
    }
    if (open.length === 0) return found
    const walk = await this.#walkOf(range)
    const marks = range.marks.map(({ hash }) => hash)
    for (const [hash, { inside, outside }] of await walk.ancestorsOf(open, marks)) {
      const has = new Set(inside)
      for (const each of outside) addAll(has, await this.from(each))
      found.set(hash, has)
      await yieldToOthers()
    }
    return found
  }

  async #beforeOf(range: AskedRange): Promise<Before> {
    const all: { at: number | null; has: Hashes }[] = []
    for (const { at, hash } of await range.edge()) all.push({ at, has: await this.from(hash) })
    return { all, areAlike: areAlike(all) }
  }

  #walkOf(range: AskedRange): Promise<RangeWalk> {
    let walk = this.#walks.get(range)
    if (!walk) {
      walk = range.walk().then((commits) => new RangeWalk(commits))
      this.#walks.set(range, walk)
    }
    return walk
  }
}

/**
 * Returns the place that answers fastest. All give the same answer; a place on the line, or in a
 * range with a known edge, gives it without a walk.
 */
const bestOf = (places: readonly Seen[]): Seen | undefined =>
  places.find((each) => isOnLine(each) && !each.range.isUnread) ??
  places.find(isOnLine) ??
  places.find(({ range }) => !range.isUnread) ??
  places.at(0)

/** Returns the content of a commit as far as marks determine it; null otherwise. */
function byMarks(at: Mark, marks: readonly Mark[], before: Before): Hashes | null {
  const found = new Set<string>()
  if (isOnLine(at)) {
    for (const { hash, place, entered } of marks) {
      // Without its place of entry, an older commit may be contained or not.
      if (entered === null && place <= at.place && hash !== at.hash) return null
      if (hash === at.hash || (entered !== null && entered <= at.place)) found.add(hash)
    }
    for (const each of before.all) {
      if (each.at !== null && each.at <= at.place) addAll(found, each.has)
    }
    const open = before.all.filter((each) => each.at === null && !isWithin(each.has, found))
    if (open.length === 0) return found
    return before.areAlike ? addAll(found, open[0].has) : null
  }
  const mayHave = marks.some(
    ({ hash, place, entered }) =>
      hash !== at.hash &&
      place < at.place &&
      (entered === null || at.entered === null || entered <= at.entered)
  )
  // It descends from some commit of the edge, and all of these have the same content.
  if (mayHave || !before.areAlike) return null
  for (const { hash } of marks) if (hash === at.hash) found.add(hash)
  return before.all.length > 0 ? addAll(found, before.all[0].has) : found
}

function addAll(found: Set<string>, more: Hashes): Set<string> {
  for (const each of more) found.add(each)
  return found
}

const isWithin = (one: Hashes, other: Hashes) => [...one].every((each) => other.has(each))

const areAlike = (all: readonly { has: Hashes }[]) =>
  all.every(({ has }) => has.size === all[0].has.size && isWithin(has, all[0].has))

/** Returns what is reachable from some commits within a range. */
export function reachedFrom(
  commits: readonly Pick<LineCommit, 'hash' | 'parents'>[],
  from: readonly string[]
): Set<string> {
  const parents = new Map(commits.map((each) => [each.hash, each.parents]))
  const reached = new Set<string>()
  const open = [...from]
  for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
    const next = parents.get(hash)
    if (!next || reached.has(hash)) continue
    reached.add(hash)
    open.push(...next)
  }
  return reached
}

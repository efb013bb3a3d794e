import { as, of, select } from '#foundation/core/database/statement'
import { instant, integer, json, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { newestFirst } from '#releases/queries/version_sql'
import { bringers, standing, type LineCommit } from '../code/standing.js'
import { releaseCommits } from '../tables.js'
import type { CommitSide } from '../vocabulary.js'
import type { FoundCommit } from './find_change.js'

/** What of a commit tells where it stands. */
const LINE_COLUMNS = of(releaseCommits, 'c', ['hash', 'place', 'parents', 'pickedFrom', 'reverts'])
const MARKS = select(
  of(releaseCommits, 'c', ['hash', 'place', 'entered']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = :side and c.hash in json(:hashes)`
)
const BETWEEN = select(
  of(releaseCommits, 'c', ['hash', 'parents']),
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = :side and c.place between :from and :to`
)
const LINE = select(
  LINE_COLUMNS,
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'release' order by c.place`
)
const LINE_OF_SOME = select(
  LINE_COLUMNS,
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'release' and c.hash in json(:hashes)`
)
const REVERTS = select(
  LINE_COLUMNS,
  // The side is no column to look up by: few commits of a release take others back.
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and coalesce(c.side, '') = 'release' and c.reverts <> '[]'`
)
const RELEASES = select(
  {
    id: as(text(), 'r.id'),
    version: as(text(), 'r.version'),
    createType: as(text(), 'r.create_type'),
    status: as(text(), 'r.status'),
    phase: as(text(), 'r.phase'),
    kickedOffAt: as(optional(instant()), 'r.kicked_off_at'),
    releasedAt: as(optional(instant()), 'r.released_at'),
    seen: as(integer(), 'case when f.release_range is null then 0 else 1 end'),
    edge: as(optional(json<string[]>()), 'f.release_edge'),
  },
  `from releases r left join release_features f on f.release_id = r.id
  where r.organization_id = :org and r.app_id = :appId and r.status <> 'skipped'
  ${newestFirst('r')}`
)

/** A release that has a change. */
export interface Holder {
  id: string
  version: string
  status: string
  phase: string
  kickedOffAt: string | null
  releasedAt: string | null
  /** Whether the change came with it, or was there before it. */
  how: 'brought' | 'before'
}

/**
 * The releases of an app that have a change, the newest first: those whose range holds a commit of
 * it that nothing takes back, and plain releases after them that go on from it.
 */
export async function holdersOf(
  scope: Scope,
  appId: string,
  commits: readonly FoundCommit[]
): Promise<Holder[]> {
  const all = await scope.rows(RELEASES, { appId })
  const own = new Map<string, Set<string>>()
  for (const { releaseId, side, hash } of commits) {
    if (side !== 'release') continue
    own.set(releaseId, (own.get(releaseId) ?? new Set()).add(hash))
  }
  const holders: Holder[] = []
  // From the lowest version up: what a plain release has, those after it have that go on from it.
  let last: { id: string; hashes: Set<string> | null } | null = null
  for (const release of [...all].reverse()) {
    const { seen, createType, edge, ...shown } = release
    const hashes = own.get(release.id)
    const stands = hashes ? await standingOf(scope, release.id, hashes) : null
    if (stands && stands.size > 0) holders.push({ ...shown, how: 'brought' })
    const isPlain = createType === 'release'
    if (!isPlain || !seen) continue
    if (stands && stands.size > 0) {
      last = { id: release.id, hashes: stands }
      continue
    }
    // A range that takes it back has none of it, nor have those after it.
    if (hashes || last === null) continue
    if (
      last.hashes !== null &&
      !(await goesOnFrom(scope, { id: release.id, edge }, last.id, last.hashes))
    ) {
      continue
    }
    last = { id: release.id, hashes: null }
    holders.push({ ...shown, how: 'before' })
  }
  return holders.reverse()
}

/** Those of some commits of a release that nothing takes back. */
async function standingOf(
  scope: Scope,
  releaseId: string,
  hashes: ReadonlySet<string>
): Promise<Set<string>> {
  const reverts = await scope.rows(REVERTS, { releaseId })
  if (reverts.length === 0) return new Set(hashes)
  const taken = new Set(reverts.flatMap((each) => each.reverts))
  const names = JSON.stringify([...hashes, ...taken])
  const named = await scope.rows(LINE_OF_SOME, { releaseId, hashes: names })
  const isMergeTaken = named.some(({ hash, parents }) => taken.has(hash) && parents.length > 1)
  // What a merge brought goes with it: then all have to be looked at.
  const commits = isMergeTaken
    ? await scope.rows(LINE, { releaseId })
    : [...new Map([...reverts, ...named].map((each) => [each.hash, each])).values()]
  const brought = isMergeTaken ? bringers(commits, commits.at(-1)?.hash ?? null) : new Map()
  const stand = standing(commits, brought)
  return new Set(stand.flatMap(({ hash }) => (hashes.has(hash) ? [hash] : [])))
}

/** Whether the range of a release begins at what has one of some commits of an earlier one. */
async function goesOnFrom(
  scope: Scope,
  { id: releaseId, edge: kept }: { id: string; edge: string[] | null },
  earlierId: string,
  hashes: ReadonlySet<string>
): Promise<boolean> {
  const edge = kept ?? edgeOf(await scope.rows(LINE, { releaseId }))
  const names = JSON.stringify([...edge, ...hashes])
  const marks = await scope.rows(MARKS, { releaseId: earlierId, side: 'release', hashes: names })
  const ends = marks.filter(({ hash }) => edge.includes(hash))
  const wanted = marks.filter(({ hash }) => hashes.has(hash))
  const told = hadByMarks(ends, wanted)
  if (told !== null) return told
  const reached = reachedFrom(await scope.rows(LINE, { releaseId: earlierId }), edge)
  return [...hashes].some((hash) => reached.has(hash))
}

const edgeOf = (commits: readonly Pick<LineCommit, 'hash' | 'parents'>[]): string[] => {
  const inside = new Set(commits.map(({ hash }) => hash))
  return commits.flatMap(({ parents }) => parents.filter((each) => !inside.has(each)))
}

interface Mark {
  hash: string
  place: number
  entered: number | null
}

/**
 * Whether one of some commits has one of others, by where they came into the line of their
 * branch; null where that does not tell.
 */
function hadByMarks(ends: readonly Mark[], wanted: readonly Mark[]): boolean | null {
  const isOnLine = ({ place, entered }: Mark) => place === entered
  const has = (end: Mark, { hash, entered }: Mark) =>
    end.hash === hash || (isOnLine(end) && entered !== null && entered <= end.place)
  if (ends.some((end) => wanted.some((each) => has(end, each)))) return true
  const isKnown = ends.every(isOnLine) && wanted.every(({ entered }) => entered !== null)
  return isKnown ? false : null
}

/** What can be reached from some commits within a range. */
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

/**
 * Whether a build of a commit of a range was made with one of some commits of it; with null,
 * whether the range has the commit at all. Of a commit that nobody has seen nothing is said.
 */
export async function builtWith(
  scope: Scope,
  releaseId: string,
  side: CommitSide,
  commitHash: string,
  hashes: readonly string[] | null
): Promise<boolean> {
  if (hashes === null) {
    const named = JSON.stringify([commitHash])
    return (await scope.rows(MARKS, { releaseId, side, hashes: named })).length > 0
  }
  const names = JSON.stringify([commitHash, ...hashes])
  const marks = await scope.rows(MARKS, { releaseId, side, hashes: names })
  const built = marks.filter(({ hash }) => hash === commitHash)
  const wanted = marks.filter(({ hash }) => hashes.includes(hash))
  if (built.length === 0 || wanted.length === 0) return false
  const told = hadByMarks(built, wanted)
  if (told !== null) return told
  // What is older than all of them leads to none.
  const from = Math.min(...wanted.map(({ place }) => place))
  const between = await scope.rows(BETWEEN, { releaseId, side, from, to: built[0].place })
  const reached = reachedFrom(between, [commitHash])
  return hashes.some((hash) => reached.has(hash))
}

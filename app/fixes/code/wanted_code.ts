import type { BroughtCommit, ReleaseCode } from '#features/queries/release_code'
import { hasKept, textKeyOf } from '#features/code/commit_line'
import { isFullHash } from '#version_control/repository/find_tag'
import { byName } from './code_by_name.js'
import type { IncludedCode, Pick as Picked } from '../tables.js'
import type { FixRequestRow } from '../requests/fix_approvals.js'

/** The subject of a request: a commit, a pull request or a ticket. */
interface Named {
  /** Returns those of the given commits that belong to the subject. */
  among(commits: readonly BroughtCommit[]): readonly BroughtCommit[]
  /**
   * The full hash of a named commit, which can be picked from anywhere; null for other subjects.
   */
  hash: string | null
}

type Wanted = Pick<FixRequestRow, 'commits' | 'pullRequests' | 'repository' | 'ticketId' | 'picks'>

/** The progress of a request's code. */
interface CodeStanding {
  /** Hashes to pick that were not requested yet, oldest first. */
  toPick: string[]
  /** True if all of it is in the release branch. */
  isIn: boolean
}

const isUnasked = (pick: Picked | undefined) => pick === undefined || pick.state === 'unasked'

/**
 * Returns the progress of a request's code, by the last observation of the repository and its own
 * picks. Missing code is waited for.
 */
export function codeStanding(request: Wanted, code: ReleaseCode | null): CodeStanding {
  const named = namedBy(request, code)
  const { picks } = request
  const isPicked = (hash: string) => ['picked', 'there'].includes(picks[hash]?.state ?? '')
  const toPick = new Set<string>()
  let isIn = named.length > 0
  for (const { among, hash } of named) {
    const isInside = code !== null && isAmong(among, [code.release, code.both])
    const waiting = code === null ? [] : among(code.waiting).map(({ commit }) => commit)
    // A merge is not picked: the commits that it brought are.
    const wanted = waiting.filter(({ parents }) => parents.length < 2).map((each) => each.hash)
    if (!isInside && waiting.length === 0 && hash !== null) wanted.push(hash)
    for (const each of wanted) if (isUnasked(picks[each])) toPick.add(each)
    const isThere = wanted.every(isPicked) && (isInside || wanted.length > 0)
    if (!isThere) isIn = false
  }
  return { toPick: [...toPick], isIn }
}

type Merged = Wanted & Pick<FixRequestRow, 'mergeHead'>

/** Returns the same for a request whose code comes in by merging a commit of the working branch. */
export function mergeStanding(request: Merged, code: ReleaseCode | null): CodeStanding {
  const { mergeHead, picks } = request
  const { waits, isComplete, isIn } = mergedCode(request, code)
  const isToMerge = mergeHead !== null && waits && isComplete && isUnasked(picks[mergeHead])
  return { toPick: isToMerge ? [mergeHead] : [], isIn }
}

/**
 * Returns the commit of the working branch that is to be merged for a request: its head when all of
 * the code was first seen there, whatever comes after it. It is replaced once the branch no longer
 * contains it, or once the release contains it and more of the code waits. Null while code is
 * missing, or before the first poll.
 */
export function wantedHead(request: Merged, code: ReleaseCode | null): string | null {
  const { mergeHead } = request
  const head = code?.features.workingRange?.head ?? null
  if (code === null || head === null) return mergeHead
  const isKnown = mergeHead !== null && code.hashes.has(mergeHead)
  const isMerged = mergeHead !== null && byName(code.release).withHash(mergeHead) !== undefined
  if (isKnown && !isMerged) return mergeHead
  const { waits, isComplete } = mergedCode(request, code)
  if (waits && isComplete) return head
  return isMerged ? mergeHead : null
}

/**
 * Returns whether any code waits in the working branch, all is in either branch, or all is in the
 * release.
 */
function mergedCode(request: Wanted, code: ReleaseCode | null) {
  const standing = namedBy(request, code).map(({ among }) => ({
    isInside: code !== null && isAmong(among, [code.release, code.both]),
    isWaiting: code !== null && among(code.waiting).some(({ commit }) => commit.parents.length < 2),
  }))
  const waits = standing.some(({ isWaiting }) => isWaiting)
  const isIn = standing.length > 0 && !waits && standing.every(({ isInside }) => isInside)
  const isComplete = standing.every(({ isInside, isWaiting }) => isInside || isWaiting)
  return { waits, isComplete, isIn }
}

/**
 * Returns the commits of the release that contain what a request names; null if some of it was not
 * seen there.
 */
export function seenInside(request: Wanted, code: ReleaseCode): IncludedCode['commits'] | null {
  const found = namedBy(request, code).map(({ among }, of) => {
    const own = new Set([...among(code.release), ...byName(code.release).like(among(code.both))])
    return [...own]
      .sort((one, other) => one.commit.place - other.commit.place)
      .map(({ commit }) => ({
        of,
        hash: commit.hash,
        text: textKeyOf(commit),
        pickedFrom: commit.pickedFrom,
        patchId: commit.patchId,
      }))
  })
  if (found.length === 0 || found.some((some) => some.length === 0)) return null
  return found.flat()
}

/**
 * Returns the commits that the release is expected to have after code was brought in, before a poll
 * has seen them.
 */
export function expectedInside(
  request: Wanted,
  brought: readonly string[],
  code: ReleaseCode
): IncludedCode['commits'] {
  const lists = [code.release, code.both, code.waiting]
  const first = new Map<BroughtCommit | string, number>()
  for (const [of, { among, hash }] of namedBy(request, code).entries()) {
    const own = lists.flatMap((list) => among(list))
    for (const each of hash === null ? own : [hash, ...own]) {
      if (!first.has(each)) first.set(each, of)
    }
  }
  return brought.flatMap((commit) => {
    const { pickedAs } = request.picks[commit]
    if (pickedAs === undefined) return []
    const source = lists.map((list) => byName(list).withHash(commit)).find((each) => each)
    const named = [first.get(commit), source && first.get(source)].filter((of) => of !== undefined)
    return {
      hash: pickedAs,
      text: source ? textKeyOf(source.commit) : '',
      pickedFrom: [commit],
      patchId: source?.commit.patchId ?? null,
      ...(named.length > 0 && { of: Math.min(...named) }),
    }
  })
}

/** The parts of a request that the release has lost. */
export interface Lost {
  /** Hashes under which the release had it; none if it still has all. */
  commits: string[]
  /** Hashes under which the request names it. */
  named: string[]
}

/**
 * Returns the commits that the release has lost, under any hash. A named commit that is present in
 * another form counts as present, unless the lost one itself waits in the working branch.
 */
export function lostCommits(request: Wanted, { commits }: IncludedCode, code: ReleaseCode): Lost {
  const gone = commits.filter((each) => !byName(code.release).has(each))
  if (gone.length === 0) return { commits: [], named: [] }
  const lost = namedBy(request, code).map(({ among, hash }, at) => {
    const own = gone.filter(({ of = at }) => of === at)
    const isInside = isAmong(among, [code.release, code.both])
    const waits = hasKept(among(code.waiting).map(({ commit }) => commit))
    const missing = isInside ? own.filter(waits) : own
    return { commits: missing.map((each) => each.hash), named: missing.length > 0 ? hash : null }
  })
  return {
    commits: [...new Set(lost.flatMap((each) => each.commits))],
    named: lost.flatMap(({ named }) => named ?? []),
  }
}

/** Returns the hashes of a request's commits that wait in the working branch. */
export const waitingHashes = (request: Wanted, code: ReleaseCode): string[] =>
  namedBy(request, code).flatMap(({ among }) =>
    among(code.waiting).map(({ commit }) => commit.hash)
  )

const isAmong = (among: Named['among'], lists: readonly (readonly BroughtCommit[])[]) =>
  lists.some((list) => among(list).length > 0)

const ofTicket =
  (ticketId: string): Named['among'] =>
  (some) =>
    byName(some).ofTicket(ticketId.toUpperCase())

function namedBy(
  { commits, pullRequests, repository, ticketId }: Wanted,
  code: ReleaseCode | null
): Named[] {
  const home = code?.features.repository ?? null
  // Numbers of another repository are other pull requests.
  const isHome = repository === null || home === null || repository === home
  return [
    ...commits.map(({ hash }): Named => ({
      hash: isFullHash(hash) ? hash : null,
      among: (some) => byName(some).ofHash(hash),
    })),
    ...pullRequests.map((number): Named => ({
      hash: null,
      among: (some) => (isHome ? byName(some).ofPull(number) : []),
    })),
    ...(ticketId === null || commits.length + pullRequests.length > 0
      ? []
      : [{ hash: null, among: ofTicket(ticketId) }]),
  ]
}

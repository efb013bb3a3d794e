import type { BroughtCommit, ReleaseCode } from '#features/queries/release_code'
import { hasCommit, hasKept, textKeyOf } from '#features/code/commit_line'
import { isFullHash } from '#releases/version_control/find_tag'
import type { BroughtIn, Pick as Picked } from './tables.js'
import type { FixRequestRow } from './fix_approvals.js'

/** What of a request is named: a commit, a pull request, a ticket. */
interface Named {
  /** Whether a commit of the repository is of it. */
  isOf(each: BroughtCommit): boolean
  /** A commit by its whole hash, which can be picked wherever it is. */
  hash: string | null
}

type Wanted = Pick<FixRequestRow, 'commits' | 'pullRequests' | 'repository' | 'ticketId' | 'picks'>

/** How far the code of a request is. */
interface CodeStanding {
  /** Hashes to pick, oldest first, that nobody has asked for. */
  toPick: string[]
  /** Whether all of it is in the release branch. */
  isIn: boolean
}

const isUnasked = (pick: Picked | undefined) => pick === undefined || pick.state === 'unasked'

/**
 * How far the code of a request is, by what was last seen of the repository and what became of
 * its own picks. What is not there at all is waited for.
 */
export function codeStanding(request: Wanted, code: ReleaseCode | null): CodeStanding {
  const named = namedBy(request, code)
  const { picks } = request
  const isPicked = (hash: string) => ['picked', 'there'].includes(picks[hash]?.state ?? '')
  const toPick = new Set<string>()
  let isIn = named.length > 0
  for (const { isOf, hash } of named) {
    const inside = [...(code?.release ?? []), ...(code?.both ?? [])].filter(isOf)
    const waiting = (code?.waiting ?? []).filter(isOf).map(({ commit }) => commit)
    // A merge brings what others did: those are picked.
    const wanted = waiting.filter(({ parents }) => parents.length < 2).map((each) => each.hash)
    if (inside.length === 0 && waiting.length === 0 && hash !== null) wanted.push(hash)
    for (const each of wanted) if (isUnasked(picks[each])) toPick.add(each)
    const isThere = wanted.every(isPicked) && inside.length + wanted.length > 0
    if (!isThere) isIn = false
  }
  return { toPick: [...toPick], isIn }
}

type Merged = Wanted & Pick<FixRequestRow, 'mergeHead'>

/** The same of a request whose code comes in by merging a commit of the working branch. */
export function mergeStanding(request: Merged, code: ReleaseCode | null): CodeStanding {
  const { mergeHead, picks } = request
  const { waits, isComplete, isIn } = mergedCode(request, code)
  const isToMerge = mergeHead !== null && waits && isComplete && isUnasked(picks[mergeHead])
  return { toPick: isToMerge ? [mergeHead] : [], isIn }
}

/**
 * The commit of the working branch that is to be merged for a request: where the branch was when
 * all of the code was first seen there, whatever comes after it; another once the branch has that
 * no more, or the release has it and more of the code waits. Null while something is missing, or nobody looks.
 */
export function wantedHead(request: Merged, code: ReleaseCode | null): string | null {
  const { mergeHead } = request
  const head = code?.features.workingRange?.head ?? null
  if (code === null || head === null) return mergeHead
  const isKnown = mergeHead !== null && code.hashes.has(mergeHead)
  const isMerged = code.release.some(({ commit }) => commit.hash === mergeHead)
  if (isKnown && !isMerged) return mergeHead
  const { waits, isComplete } = mergedCode(request, code)
  if (waits && isComplete) return head
  return isMerged ? mergeHead : null
}

/** Whether any of the code waits in the working branch, all is in either branch, or in the release. */
function mergedCode(request: Wanted, code: ReleaseCode | null) {
  const named = namedBy(request, code)
  const inside = [...(code?.release ?? []), ...(code?.both ?? [])]
  const waiting = (code?.waiting ?? []).filter(({ commit }) => commit.parents.length < 2)
  const waits = named.some(({ isOf }) => waiting.some(isOf))
  const isIn = named.length > 0 && !waits && named.every(({ isOf }) => inside.some(isOf))
  const isComplete = named.every(({ isOf }) => inside.some(isOf) || waiting.some(isOf))
  return { waits, isComplete, isIn }
}

/**
 * The commits of the release by which it was seen to have what a request names; null where some of
 * it was not seen there.
 */
export function seenInside(request: Wanted, code: ReleaseCode): BroughtIn['commits'] | null {
  const found = namedBy(request, code).map(({ isOf }, of) => {
    const elsewhere = code.both.filter(isOf).map(({ commit }) => commit)
    return code.release
      .filter((each) => isOf(each) || elsewhere.some(hasCommit([each.commit])))
      .map(({ commit }) => ({
        ...{ of, hash: commit.hash, text: textKeyOf(commit) },
        ...{ pickedFrom: commit.pickedFrom, patchId: commit.patchId },
      }))
  })
  if (found.length === 0 || found.some((some) => some.length === 0)) return null
  return found.flat()
}

/** Commits by which the release is to have what was brought there, before anybody has seen them. */
export function expectedInside(
  request: Wanted,
  brought: readonly string[],
  code: ReleaseCode
): BroughtIn['commits'] {
  const named = namedBy(request, code)
  const known = [...code.release, ...code.both, ...code.waiting]
  return brought.flatMap((commit) => {
    const { pickedAs } = request.picks[commit]
    if (pickedAs === undefined) return []
    const source = known.find((each) => each.commit.hash === commit)
    const of = named.findIndex(({ isOf, hash }) => hash === commit || (source && isOf(source)))
    return {
      ...{ hash: pickedAs, text: source ? textKeyOf(source.commit) : '' },
      ...{ pickedFrom: [commit], patchId: source?.commit.patchId ?? null },
      ...(of >= 0 && { of }),
    }
  })
}

/** What of a request the release has no more. */
export interface Lost {
  /** Hashes that the release had it by; none where it still has all. */
  commits: string[]
  /** Hashes by which the request names it. */
  named: string[]
}

/**
 * What of that the release has no more, under any hash. What is named and is there by other commits
 * is there, unless the very one that is gone waits in the working branch.
 */
export function lostCommits(request: Wanted, { commits }: BroughtIn, code: ReleaseCode): Lost {
  const isThere = hasKept(code.release.map(({ commit }) => commit))
  const gone = commits.filter((each) => !isThere(each))
  const inside = [...code.release, ...code.both]
  const lost = namedBy(request, code).map(({ isOf, hash }, at) => {
    const own = gone.filter(({ of = at }) => of === at)
    const waits = hasKept(code.waiting.filter(isOf).map(({ commit }) => commit))
    const left = inside.some(isOf) ? own.filter(waits) : own
    return { commits: left.map((each) => each.hash), named: left.length > 0 ? hash : null }
  })
  return {
    commits: [...new Set(lost.flatMap((each) => each.commits))],
    named: lost.flatMap(({ named }) => named ?? []),
  }
}

/** Hashes of the commits that a request names which wait in the working branch. */
export const waitingHashes = (request: Wanted, code: ReleaseCode): string[] =>
  namedBy(request, code).flatMap(({ isOf }) =>
    code.waiting.filter(isOf).map(({ commit }) => commit.hash)
  )

function namedBy(
  { commits, pullRequests, repository, ticketId }: Wanted,
  code: ReleaseCode | null
): Named[] {
  const home = code?.features.repository ?? null
  // Another repository has others of the same numbers.
  const isHome = repository === null || home === null || repository === home
  return [
    ...commits.map(({ hash }) => ({
      hash: isFullHash(hash) ? hash : null,
      // Who names a merge means what it brought.
      isOf: ({ commit, broughtBy }: BroughtCommit) =>
        [commit.hash, ...commit.pickedFrom, broughtBy ?? ''].some((each) => each.startsWith(hash)),
    })),
    ...pullRequests.map((number) => ({
      hash: null,
      isOf: ({ pullRequest }: BroughtCommit) => isHome && pullRequest === number,
    })),
    ...(ticketId === null || commits.length + pullRequests.length > 0
      ? []
      : [{ hash: null, isOf: ({ keys }: BroughtCommit) => keys.includes(ticketId.toUpperCase()) }]),
  ]
}

import type { BroughtCommit, ReleaseCode } from '#features/queries/release_code'
import type { Pick as Picked } from './tables.js'
import type { FixRequestRow } from './fix_approvals.js'

/** What of a request is named: a commit, a pull request, a ticket. */
interface Named {
  /** Whether a commit of the repository is of it. */
  isOf(each: BroughtCommit): boolean
  /** A commit by its whole hash, which can be picked wherever it is. */
  hash: string | null
}

type Wanted = Pick<FixRequestRow, 'commits' | 'pullRequests' | 'ticketId' | 'picks'>

/** How far the code of a request is. */
export interface CodeStanding {
  /** Hashes to pick, oldest first, that nobody has asked for. */
  toPick: string[]
  /** Whether all of it is in the release branch. */
  isIn: boolean
}

const isUnasked = (pick: Picked | undefined) => pick === undefined || pick.state === 'unasked'
const isWhole = (hash: string) => hash.length === 40 || hash.length === 64

/**
 * How far the code of a request is, by what was last seen of the repository and what became of
 * its own picks. What is not there at all is waited for.
 */
export function codeStanding(request: Wanted, code: ReleaseCode | null): CodeStanding {
  const named = namedBy(request)
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

/**
 * The same of a request whose code comes in by merging the working branch: what to merge is the
 * head of that, once any of the code waits there.
 */
export function mergeStanding(request: Wanted, code: ReleaseCode | null): CodeStanding {
  const named = namedBy(request)
  const inside = [...(code?.release ?? []), ...(code?.both ?? [])]
  const waiting = (code?.waiting ?? []).filter(({ commit }) => commit.parents.length < 2)
  const waits = named.some(({ isOf }) => waiting.some(isOf))
  const head = code?.features.workingRange?.head
  return {
    toPick: waits && head && isUnasked(request.picks[head]) ? [head] : [],
    isIn: named.length > 0 && !waits && named.every(({ isOf }) => inside.some(isOf)),
  }
}

function namedBy({ commits, pullRequests, ticketId }: Wanted): Named[] {
  return [
    ...commits.map(({ hash }) => ({
      hash: isWhole(hash) ? hash : null,
      // Who names a merge means what it brought.
      isOf: ({ commit, broughtBy }: BroughtCommit) =>
        [commit.hash, ...commit.pickedFrom, broughtBy ?? ''].some((each) => each.startsWith(hash)),
    })),
    ...pullRequests.map((number) => ({
      hash: null,
      isOf: ({ pullRequest }: BroughtCommit) => pullRequest === number,
    })),
    ...(ticketId === null || commits.length + pullRequests.length > 0
      ? []
      : [{ hash: null, isOf: ({ keys }: BroughtCommit) => keys.includes(ticketId.toUpperCase()) }]),
  ]
}

import type { CommitStatus } from './repository.js'

/*
 * Merge requests of a repository that is kept elsewhere: only the names of branches and the hashes
 * of commits are known. Instants are milliseconds since the epoch.
 */

interface HostedRequest {
  number: number
  title: string
  body: string
  head: string
  base: string
  /** The tip of `head` when a merge was last tried, or when the request was opened. */
  sha: string
  /** Time of that commit; absent in older states. */
  at?: number
  /** `open`, `merged`, or what a scenario calls it. */
  state: string
  /** The commits that it adds to its base, as of its `sha`. */
  commits: readonly string[]
  /** Heads with which merges were begun, the latest last; absent without any. */
  merging?: readonly RequestCommits[]
  openedAt: number
  /** Absent if nobody in particular opened it. */
  author?: string
  /** Absent while it is not merged. */
  mergedAt?: number
  key: string | null
}

/** The head and the commits of a request. */
export type RequestCommits = Required<Pick<HostedRequest, 'sha' | 'at' | 'commits'>>

export interface HostedRequests {
  requests: readonly HostedRequest[]
  statuses: readonly CommitStatus[]
}

export const NO_REQUESTS: HostedRequests = { requests: [], statuses: [] }

/**
 * Opens a request. A known one with the same key, or open for the same branches, is returned
 * instead.
 */
export function openRequest(
  hosted: HostedRequests,
  now: number,
  input: RequestCommits & Pick<HostedRequest, 'title' | 'body' | 'head' | 'base' | 'author' | 'key'>
): { hosted: HostedRequests; request: HostedRequest } {
  const { head, base, key } = input
  const known = hosted.requests.find(
    (each) =>
      (key !== null && each.key === key) ||
      (each.state === 'open' && each.head === head && each.base === base)
  )
  if (known) return { hosted, request: known }
  const number = 1 + Math.max(0, ...hosted.requests.map((each) => each.number))
  const request = { ...input, number, state: 'open', openedAt: now }
  return { hosted: { ...hosted, requests: [...hosted.requests, request] }, request }
}

/**
 * Stores the commits of a request whose merge begins: its end may never be reported. A merged
 * request keeps them.
 */
export function beginMerge(hosted: HostedRequests, known: HostedRequest, commits: RequestCommits) {
  const others = known.merging?.filter(({ sha }) => sha !== commits.sha) ?? []
  return changed(hosted, known, { ...commits, merging: [...others, commits] })
}

/** Marks a request as merged. @param sha the head that was merged; null for the last known one */
export function markMerged(
  hosted: HostedRequests,
  known: HostedRequest,
  { now, sha }: { now: number; sha: string | null }
) {
  const commits = known.merging?.find((each) => each.sha === sha)
  return changed(hosted, known, { ...commits, merging: [], state: 'merged', mergedAt: now })
}

function changed(
  hosted: HostedRequests,
  known: HostedRequest,
  change: Partial<HostedRequest>
): { hosted: HostedRequests; request: HostedRequest } {
  if (known.state === 'merged') return { hosted, request: known }
  const request = { ...known, ...change }
  const requests = hosted.requests.map((each) => (each === known ? request : each))
  return { hosted: { ...hosted, requests }, request }
}

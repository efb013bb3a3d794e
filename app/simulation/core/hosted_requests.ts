import type { CommitStatus } from './repository.js'

/*
 * Requests to merge in a repository that is kept elsewhere: what they are of is known by names and
 * hashes alone. Instants are milliseconds since the epoch.
 */

export interface HostedRequest {
  number: number
  title: string
  body: string
  head: string
  base: string
  /** The tip of `head` when it was merged, or opened. */
  sha: string
  /** `open`, `merged`, or what a scenario calls it. */
  state: string
  /** The commits that it brought; those of an open one are what `head` has by then. */
  commits: readonly string[]
  openedAt: number
  key: string | null
}

export interface HostedRequests {
  requests: readonly HostedRequest[]
  statuses: readonly CommitStatus[]
}

export const NO_REQUESTS: HostedRequests = { requests: [], statuses: [] }

/** Opens a request, once for its key; one that is open for the same branches is it. */
export function openRequest(
  hosted: HostedRequests,
  now: number,
  input: Pick<HostedRequest, 'title' | 'body' | 'head' | 'base' | 'sha' | 'key'>
): { hosted: HostedRequests; request: HostedRequest } {
  const { head, base, key } = input
  const known = hosted.requests.find(
    (each) =>
      (key !== null && each.key === key) ||
      (each.state === 'open' && each.head === head && each.base === base)
  )
  if (known) return { hosted, request: known }
  const number = 1 + Math.max(0, ...hosted.requests.map((each) => each.number))
  const request = { ...input, number, state: 'open', commits: [], openedAt: now }
  return { hosted: { ...hosted, requests: [...hosted.requests, request] }, request }
}

/** Keeps that a request was merged, and with what. */
export function markMerged(
  hosted: HostedRequests,
  known: HostedRequest,
  brought: Pick<HostedRequest, 'sha' | 'commits'>
): { hosted: HostedRequests; request: HostedRequest } {
  if (known.state === 'merged') return { hosted, request: known }
  const request = { ...known, ...brought, state: 'merged' }
  const requests = hosted.requests.map((each) => (each === known ? request : each))
  return { hosted: { ...hosted, requests }, request }
}

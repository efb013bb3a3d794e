import { DAY } from '#foundation/core/durations'
import { instantOf, earlier, type Instant } from '#foundation/core/clock'
import type { PullRequest, VersionControl } from '#plugin-kit/capabilities/source'
import { isProviderError } from '#plugin-kit/provider_error'
import type { SeenPull, ReportedPull } from '../queries/seen_pulls.js'
import { NAMED_ENTITY_ERRORS } from './failures.js'

/** Most pull requests that one poll requests individually, the newest first. */
const MAX_ASKED = 50
/** Validity of the answer that a host knows no pull request of a number, in milliseconds. */
const UNKNOWN_FOR = DAY

/**
 * Requests pull requests from a host: the open ones, and others that were named and are unknown, or
 * were open when last seen. A merged or closed one is requested once.
 */
export async function askPulls(
  versionControl: VersionControl,
  open: readonly PullRequest[],
  {
    named,
    known,
    now,
  }: { named: Iterable<number>; known: ReadonlyMap<number, SeenPull>; now: Instant }
): Promise<ReportedPull[]> {
  const reported = open.map(reportedPull)
  if (!versionControl.getPullRequest) return reported
  const waiting = new Set(open.map(({ number }) => number))
  const since = earlier(now, UNKNOWN_FOR)
  const isWanted = (number: number) => {
    const before = known.get(number)
    if (waiting.has(number)) return false
    if (!before) return true
    return before.status === null ? before.seenAt < since : before.status in WAITS
  }
  const requested = [...new Set(named)].filter(isWanted).sort((one, other) => other - one)
  for (const number of requested.slice(0, MAX_ASKED)) {
    try {
      const found = await versionControl.getPullRequest(number)
      reported.push(found ? reportedPull(found) : unknownPull(number))
    } catch (error) {
      if (!isProviderError(error)) throw error
      // Known data remains; the rest is left to another poll.
      if (!NAMED_ENTITY_ERRORS.has(error.code)) break
      reported.push(unknownPull(number))
    }
  }
  return reported
}

const WAITS = { draft: true, open: true }

function reportedPull({
  number,
  title,
  status,
  url,
  author,
  base,
  mergedAt,
}: PullRequest): ReportedPull {
  return {
    number,
    title: title.slice(0, 1000),
    status: status.state === 'unknown' ? null : status.state,
    url: url?.slice(0, 2048) ?? null,
    author: author?.slice(0, 320) ?? null,
    base: base.slice(0, 256) || null,
    mergedAt: instantOf(mergedAt),
  }
}

const unknownPull = (number: number): ReportedPull => ({
  number,
  title: null,
  status: null,
  url: null,
  author: null,
  base: null,
  mergedAt: null,
})

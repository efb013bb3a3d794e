import type { ReleaseCode } from '#features/queries/release_code'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type FixRequest from '../models/fix_request.js'
import type { IncludedCode, Pick } from '../tables.js'
import { lostCommits, seenInside, waitingHashes, type Lost } from './wanted_code.js'

const LOST_REASON =
  'The release branch no longer has this commit: it was reverted, or lost in a force-push.'

/** Returns the code of a request in the release; null if any of it is missing. */
export function codeInRelease(request: FixRequest, code: ReleaseCode | null): IncludedCode | null {
  const base = code?.features.releaseRange?.base
  const commits = code && seenInside(request, code)
  return commits && base !== undefined ? { base, commits } : null
}

/**
 * Checks that the release branch still has the commits of a merged request. A force-push or a
 * revert loses commits. The request then waits for a person: no pick is retried. If the base of the
 * release has changed, the current commits are stored for the next check instead.
 */
export async function findLostCode(
  scope: Scope,
  release: Release,
  request: FixRequest,
  code: ReleaseCode
): Promise<void> {
  const before = request.includedCode
  const base = code.features.releaseRange?.base
  if (base === undefined) return
  if (before?.base !== base) {
    const seen = codeInRelease(request, code)
    if (seen === null) return
    request.includedCode = seen
    await request.useTransaction(scope.transaction).save()
    return
  }
  const lost = lostCommits(request, before, code)
  if (lost.commits.length > 0) await reportLoss(scope, release, request, code, lost)
}

/** Marks a request as failed, because the release has lost some of its code. */
export async function reportLoss(
  scope: Scope,
  release: Release,
  request: FixRequest,
  code: ReleaseCode,
  lost: Lost
): Promise<void> {
  const lostPick: Pick = { state: 'lost', reason: LOST_REASON }
  // Marks commits of the working branch and those that the request names: none is picked again.
  const missing = new Set([...waitingHashes(request, code), ...lost.named])
  const hashes = missing.size > 0 ? [...missing] : lost.commits
  request.merge({
    status: 'failed',
    mergedAt: null,
    includedCode: null,
    picks: { ...request.picks, ...Object.fromEntries(hashes.map((hash) => [hash, lostPick])) },
  })
  await request.useTransaction(scope.transaction).save()
  recordReleaseEvent(scope, release, {
    type: 'fix.codeLost',
    title: `The release has lost code of the fix ${request.title}`.slice(0, 1000),
    data: { fixRequestId: request.id, commits: lost.commits.slice(0, 100) },
    payload: null,
  })
}

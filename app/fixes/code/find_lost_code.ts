import type { ReleaseCode } from '#features/queries/release_code'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type FixRequest from '../models/fix_request.js'
import type { BroughtIn, Pick } from '../tables.js'
import { lostCommits, seenInside, waitingHashes, type Lost } from './wanted_code.js'

const WHY = 'The release branch no longer has it: it was reverted, or lost in a force-push.'

/** Returns what the release has of a request now; null unless all of it was seen there. */
export function nowInside(request: FixRequest, code: ReleaseCode | null): BroughtIn | null {
  const base = code?.features.releaseRange?.base
  const commits = code && seenInside(request, code)
  return commits && base !== undefined ? { base, commits } : null
}

/**
 * Checks that the release branch still has the commits of a merged request. Commits are lost when
 * the branch is forced elsewhere or somebody reverts them: then the request waits for a person, and
 * nothing is picked again by itself. When the base of the release is another one, the commits that
 * are there now are kept for the next comparison.
 */
export async function findLostCode(
  scope: Scope,
  release: Release,
  request: FixRequest,
  code: ReleaseCode
): Promise<void> {
  const before = request.broughtIn
  const base = code.features.releaseRange?.base
  if (base === undefined) return
  if (before?.base !== base) {
    const seen = nowInside(request, code)
    if (seen === null) return
    request.broughtIn = seen
    await request.useTransaction(scope.transaction).save()
    return
  }
  const lost = lostCommits(request, before, code)
  if (lost.commits.length > 0) await reportLoss(scope, release, request, code, lost)
}

/** Leaves a request to a person, because the release has lost some of its code. */
export async function reportLoss(
  scope: Scope,
  release: Release,
  request: FixRequest,
  code: ReleaseCode,
  lost: Lost
): Promise<void> {
  const gone: Pick = { state: 'lost', reason: WHY }
  // Code in the working branch is not requested again, nor is what the request names.
  const known = new Set([...waitingHashes(request, code), ...lost.named])
  const hashes = known.size > 0 ? [...known] : lost.commits
  request.merge({
    status: 'failed',
    mergedAt: null,
    broughtIn: null,
    picks: { ...request.picks, ...Object.fromEntries(hashes.map((hash) => [hash, gone])) },
  })
  await request.useTransaction(scope.transaction).save()
  recordReleaseEvent(scope, release, {
    type: 'fix.codeLost',
    title: `The release no longer has code of the fix ${request.title}`.slice(0, 1000),
    data: { fixRequestId: request.id, commits: lost.commits.slice(0, 100) },
    payload: null,
  })
}

import type { SeenPull } from '#features/queries/seen_pulls'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type FixRequest from '../models/fix_request.js'

/**
 * Records in the timeline, once for each, that an open request waits for a pull request that was
 * closed without being merged; one that was reopened may be recorded again.
 */
export async function reportClosed(
  scope: Scope,
  release: Release,
  request: FixRequest,
  pulls: ReadonlyMap<number, SeenPull>
): Promise<void> {
  const { id, title, pullRequests, reportedClosed } = request
  const closed = pullRequests.filter((number) => pulls.get(number)?.status === 'closed')
  const news = closed.filter((number) => !reportedClosed.includes(number))
  if (news.length === 0 && closed.length === reportedClosed.length) return
  request.reportedClosed = closed
  await request.useTransaction(scope.transaction).save()
  for (const number of news) {
    recordReleaseEvent(scope, release, {
      type: 'fix.pullRequestClosed',
      title: `#${number} of the fix ${title} was closed without being merged`.slice(0, 1000),
      data: { fixRequestId: id, pullRequestNumber: number },
      payload: null,
    })
  }
}

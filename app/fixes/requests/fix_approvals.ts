import { createHash } from 'node:crypto'
import type { RowOf } from '#foundation/core/database/table'
import type { Verdict, fixRequests } from '../tables.js'

export type FixRequestRow = RowOf<typeof fixRequests>

type Content = Pick<FixRequestRow, 'commits' | 'pullRequests' | 'ticketId' | 'wayIn' | 'mergeHead'>

/**
 * Returns a hash of what a request brings in, in whatever order it is named; for a merge, with the
 * commit that is merged. An approval counts only while the hash is that of the approved content.
 */
export function contentHash(request: Content): string {
  return createHash('sha256')
    .update(JSON.stringify(boundContent(request)))
    .digest('hex')
}

/** Returns the hashed content of a request. */
export const boundContent = ({ commits, pullRequests, ticketId, wayIn, mergeHead }: Content) => ({
  commits: commits.map(({ hash }) => hash).sort(),
  pullRequests: [...pullRequests].sort((one, other) => one - other),
  ticketId,
  // Left out where it does not apply, so that older requests keep their hash.
  ...(wayIn === 'backMerge' && { wayIn, ...(mergeHead !== null && { mergeHead }) }),
})

/** Returns the approvals of what the request brings in now. */
export function standingApprovals(request: Content & Pick<FixRequestRow, 'approvals'>): Verdict[] {
  const hash = contentHash(request)
  return request.approvals.filter((each) => each.hash === hash)
}

/** Returns the number of approvals still needed. */
export function approvalsMissing(
  request: Content & Pick<FixRequestRow, 'approvals' | 'requiredApprovals'>
): number {
  return Math.max(0, request.requiredApprovals - standingApprovals(request).length)
}

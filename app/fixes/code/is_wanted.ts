import type { CallContext, Job } from '#foundation/jobs/handlers'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { as, of, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import { findRepository } from '#version_control/repository/app_repository'
import { codeBranchOf } from '#version_control/repository/release_branch'
import { releases } from '#releases/tables'
import { fixRequests } from '../tables.js'
import type { pickKind } from '../work_kinds.js'

const ONE = select(
  {
    ...of(fixRequests, 'f', ['status', 'wayIn', 'mergeHead']),
    releaseBranch: as(releases.columns.releaseBranch, 'r.release_branch'),
    createType: as(releases.columns.createType, 'r.create_type'),
    releaseStatus: as(text(), 'r.status'),
  },
  `from fix_requests f join releases r on r.id = f.release_id
  where f.organization_id = :org and f.id = :id`
)

/**
 * Returns, just before the call, whether code is still to be brought in: its request stands, and
 * its release is active, with the same branch and repository. If one commit of a request failed,
 * its other commits are picked all the same. A merge is made only while its commit is approved.
 */
export async function isWanted(
  { subject: id, payload }: Job<PayloadOf<typeof pickKind>>,
  { scope }: CallContext
): Promise<boolean> {
  const [request] = await scope.rows(ONE, { id })
  if (request?.releaseStatus !== 'active') return false
  const repository = await findRepository(scope, payload.appId)
  const isPlace =
    repository?.integration.id === payload.integrationId &&
    codeBranchOf(repository, request) === payload.branch
  if (!isPlace) return false
  const { status, wayIn, mergeHead } = request
  if (wayIn === 'backMerge') return status === 'approved' && mergeHead === payload.commit
  return status === 'approved' || status === 'failed'
}

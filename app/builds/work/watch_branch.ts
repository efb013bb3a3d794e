import { change, of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { isUnderWay } from '#releases/lifecycle/open_releases'
import { findCi } from '../app_ci.js'
import { releaseBranchWatches } from '../tables.js'
import { discoverKind } from '../work_kinds.js'

const WATCH = select(
  of(releaseBranchWatches, 'w'),
  'from release_branch_watches w where w.organization_id = :org and w.release_id = :releaseId'
)
const SET = change(
  `insert into release_branch_watches (release_id, organization_id, integration_id, branch)
  values (:releaseId, :org, :integrationId, :branch)
  on conflict (release_id) do update set integration_id = excluded.integration_id,
    branch = excluded.branch`
)
const FORGET = change(
  'delete from release_branch_watches where organization_id = :org and release_id = :releaseId'
)

/** Prefetches the row that `watchBranch` reads. */
export const prefetchWatch = (scope: Scope, releaseId: string) =>
  scope.prefetch(WATCH, { releaseId })

/** Polls the branch of a release for builds while the release is under way. */
export async function watchBranch(scope: Scope, release: Release): Promise<void> {
  const { id: releaseId, appId, releaseBranch: branch } = release
  const [watched] = await scope.rows(WATCH, { releaseId })
  if (!isUnderWay(release) || branch === null) {
    if (watched) await forgetBranch(scope, releaseId)
    return
  }
  if (watched?.branch === branch) return
  const ci = await findCi(scope, appId)
  if (!ci) return
  const { id: integrationId, connectionId, workflowId } = ci
  await scope.change(SET, { releaseId, integrationId, branch })
  await scope.jobs.plan(discoverKind, {
    subject: releaseId,
    payload: { appId, integrationId, connectionId, branch, workflowId, since: release.kickedOffAt },
  })
}

/** Stops polling the branch of a release. */
export async function forgetBranch(scope: Scope, releaseId: string): Promise<void> {
  await scope.jobs.cancel(discoverKind, releaseId)
  await scope.change(FORGET, { releaseId })
}

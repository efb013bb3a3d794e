import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releaseCode } from '#features/queries/release_code'
import type Release from '#releases/models/release'
import { findRepository } from '#releases/version_control/app_repository'
import { codeBranchOf } from '#releases/version_control/release_branch'
import { entityKeyOf } from '#releases/version_control/wish_branch'
import FixRequest from './models/fix_request.js'
import { recordFixEvent } from './record_fix_event.js'
import { fixRequests } from './tables.js'
import { codeStanding } from './wanted_code.js'
import { wishStatuses } from './wish_statuses.js'
import { followKind, pickKind } from './work_kinds.js'

const OPEN = select(
  of(fixRequests, 'f', ['id']),
  `from fix_requests f where f.organization_id = :org and f.release_id = :releaseId
    and f.status in ('approved', 'failed') and f.work_item_id is not null limit 1`
)

/** Has a worker look at what became of the code of approved requests. */
export async function planFollow(scope: Scope, { id, appId }: Release): Promise<void> {
  await scope.agenda.plan(followKind, { subject: id, payload: { appId } })
}

/** The same where there is anything to follow. */
export async function planFollowIfOpen(scope: Scope, release: Release): Promise<void> {
  const [open] = await scope.rows(OPEN, { releaseId: release.id })
  if (open || release.settings.enableFixStatusChecks) await planFollow(scope, release)
}

/**
 * Follows the approved requests of a release: asks for picks of what waits in the working branch,
 * and says `merged` once all of a request is in the release branch, whoever brought it there.
 */
export async function followFixes(scope: Scope, release: Release): Promise<void> {
  if (release.status !== 'active' || release.kickedOffAt === null) return
  const requests = await scope
    .query(FixRequest)
    .where('releaseId', release.id)
    .whereIn('status', ['approved', 'failed'])
    .whereNotNull('workItemId')
    .orderBy('createdAt')
    .orderBy('id')
    .exec()
  const code = requests.length > 0 ? await releaseCode(scope, release.id) : null
  const repository = await findRepository(scope, release.appId)
  const branch = repository && codeBranchOf(repository, release)
  for (const request of requests) {
    const { toPick, isIn } = codeStanding(request, code)
    if (isIn) await setMerged(scope, release, request)
    else if (repository && branch && branch !== repository.branches?.workingBranch) {
      const { id: integrationId, connectionId } = repository.integration
      for (const commit of toPick) {
        await scope.agenda.wish(pickKind, {
          subject: request.id,
          entityKey: entityKeyOf(release),
          idempotencyKey: `${request.id} ${commit}`,
          payload: {
            appId: release.appId,
            releaseId: release.id,
            integrationId,
            connectionId,
            askedBy: request.requester,
            branch,
            commit,
          },
        })
        request.picks = { ...request.picks, [commit]: { state: 'asked' } }
      }
      if (toPick.length > 0) await request.useTransaction(scope.transaction).save()
    }
  }
  if (repository) await wishStatuses(scope, release, repository)
}

async function setMerged(scope: Scope, release: Release, request: FixRequest): Promise<void> {
  request.merge({ status: 'merged', mergedAt: scope.now })
  await request.useTransaction(scope.transaction).save()
  recordFixEvent(scope, release, request, {
    type: 'fixRequest.merged',
    title: `Fix merged: ${request.title}`,
    data: {
      commits: Object.entries(request.picks).map(([commitHash, { state, pickedAs = null }]) => ({
        commitHash,
        state,
        pickedAs,
      })),
    },
  })
}

import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releaseCode } from '#features/queries/release_code'
import type Release from '#releases/models/release'
import { findRepository, type AppRepository } from '#releases/version_control/app_repository'
import { codeBranchOf } from '#releases/version_control/release_branch'
import { entityKeyOf } from '#releases/version_control/wish_branch'
import FixRequest from './models/fix_request.js'
import { recordFixEvent } from './record_fix_event.js'
import { fixRequests } from './tables.js'
import { codeStanding, mergeStanding } from './wanted_code.js'
import { wishStatuses } from './wish_statuses.js'
import { followKind, mergeKind, pickKind } from './work_kinds.js'

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
 * Follows the approved requests of a release: asks for what waits in the working branch, and
 * says `merged` once all of a request is in the release branch, whoever brought it there. Of a
 * release that is complete nothing is asked; what was on its way is told.
 */
export async function followFixes(scope: Scope, release: Release): Promise<void> {
  const isActive = release.status === 'active'
  if (release.kickedOffAt === null || !(isActive || release.status === 'completed')) return
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
  for (const request of requests) {
    const standing = request.wayIn === 'backMerge' ? mergeStanding : codeStanding
    const { toPick, isIn } = standing(request, code)
    if (isIn) await setMerged(scope, release, request)
    else if (repository && isActive) await bringIn(scope, release, repository, request, toPick)
  }
  if (repository && isActive) await wishStatuses(scope, release, repository)
}

/** Asks for what nobody was asked for yet. */
async function bringIn(
  scope: Scope,
  release: Release,
  repository: AppRepository,
  request: FixRequest,
  toPick: readonly string[]
): Promise<void> {
  const branch = codeBranchOf(repository, release)
  const from = repository.branches?.workingBranch
  const isMerge = request.wayIn === 'backMerge'
  // A merge in conflict is a person's, also where the branch goes on.
  if (isMerge && (!from || request.status === 'failed')) return
  if (!branch || branch === from || toPick.length === 0) return
  const { id: integrationId, connectionId } = repository.integration
  const { appId, id: releaseId } = release
  for (const commit of toPick) {
    // Where it was let be before, it is another wish.
    const { unasked = 0 } = request.picks[commit] ?? {}
    const again = unasked > 0 ? ` ${unasked}` : ''
    const wish = {
      subject: request.id,
      entityKey: entityKeyOf(release),
      idempotencyKey: `${request.id} ${commit}${again}`,
    }
    const place = { appId, releaseId, integrationId, connectionId, branch, commit }
    const payload = { ...place, askedBy: request.requester }
    if (isMerge)
      await scope.agenda.wish(mergeKind, { ...wish, payload: { ...payload, from: from! } })
    else await scope.agenda.wish(pickKind, { ...wish, payload })
    request.picks = { ...request.picks, [commit]: { state: 'asked', unasked } }
  }
  await request.useTransaction(scope.transaction).save()
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

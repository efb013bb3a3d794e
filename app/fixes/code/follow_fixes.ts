import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { ReleaseCode } from '#features/queries/release_code'
import type Release from '#releases/models/release'
import { findRepository, type AppRepository } from '#version_control/repository/app_repository'
import { codeBranchOf } from '#version_control/repository/release_branch'
import { entityKeyOf } from '#version_control/branches/request_branch'
import { namedCode } from './code_by_name.js'
import FixRequest from '../models/fix_request.js'
import { missingInBuild, notIn } from './missing_in_build.js'
import { findLostCode, codeInRelease } from './find_lost_code.js'
import { pinMerge } from './pin_merge.js'
import { loadNamedPulls } from '../queries/named_pulls.js'
import { recordFixEvent } from '../requests/record_fix_event.js'
import { fixRequests } from '../tables.js'
import { reportClosed } from '../triage/report_closed.js'
import { codeStanding, mergeStanding } from './wanted_code.js'
import { requestStatuses } from './request_statuses.js'
import { followKind, mergeKind, pickKind } from '../work_kinds.js'

const OPEN = select(
  of(fixRequests, 'f', ['id']),
  `from fix_requests f where f.organization_id = :org and f.release_id = :releaseId
    and f.status <> 'rejected' and f.work_item_id is not null limit 1`
)

/** Plans that a worker follows the code of a release's requests. */
export async function planFollow(scope: Scope, { id, appId }: Release): Promise<void> {
  await scope.jobs.plan(followKind, { subject: id, payload: { appId } })
}

/** Plans the same if there is anything to follow. */
export async function planFollowIfOpen(scope: Scope, release: Release): Promise<void> {
  const [open] = await scope.rows(OPEN, { releaseId: release.id })
  if (open || release.settings.enableFixStatusChecks) await planFollow(scope, release)
}

/**
 * Follows the requests of a release: requests commits that wait in the working branch, and sets
 * `merged` once all of an approved request is in the release branch, whoever brought it there.
 * Records requests whose code was closed, was changed after approval, or has left the release. For
 * a completed release no more code is requested; only results that were under way are recorded.
 */
export async function followFixes(scope: Scope, release: Release): Promise<void> {
  const isActive = release.status === 'active'
  if (release.kickedOffAt === null || !(isActive || release.status === 'completed')) return
  const requests = await scope
    .query(FixRequest)
    .where('releaseId', release.id)
    .whereNot('status', 'rejected')
    .whereNotNull('workItemId')
    .orderBy('createdAt')
    .orderBy('id')
    .exec()
  const code = requests.length > 0 ? await namedCode(scope, release.id) : null
  const around = {
    repository: await findRepository(scope, release.appId),
    code,
    pullsOf: await loadNamedPulls(scope, release.appId, requests),
  }
  for (const request of requests) {
    if (request.status !== 'merged') await follow(scope, release, request, around)
    else if (isActive && code) await findLostCode(scope, release, request, code)
    await yieldToOthers()
  }
  if (around.repository && isActive) await requestStatuses(scope, release, around.repository)
}

interface Around {
  repository: AppRepository | null
  code: ReleaseCode | null
  pullsOf: Awaited<ReturnType<typeof loadNamedPulls>>
}

async function follow(
  scope: Scope,
  release: Release,
  request: FixRequest,
  { repository, code, pullsOf }: Around
): Promise<void> {
  const isMerge = request.wayIn === 'backMerge'
  const standing = () => (isMerge ? mergeStanding : codeStanding)(request, code)
  if (request.status !== 'pending' && standing().isIn) {
    return setMerged(scope, release, request, code)
  }
  if (release.status !== 'active') return
  await reportClosed(scope, release, request, pullsOf(request).seen)
  // A request that is left to a person keeps its state.
  if (isMerge && request.status !== 'failed') await pinMerge(scope, release, request, code)
  if (!repository || request.status === 'pending') return
  // The last poll found no such branch.
  if (code?.features.missingBranch === codeBranchOf(repository, release)) return
  await bringIn(scope, release, repository, request, standing().toPick)
}

/** Plans commands for code that was not requested yet. */
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
  // A merge in conflict is left to a person, even if the branch moves on.
  if (isMerge && (!from || request.status === 'failed')) return
  if (!branch || branch === from || toPick.length === 0) return
  const { id: integrationId, connectionId } = repository.integration
  const { appId, id: releaseId } = release
  const picks = { ...request.picks }
  for (const commit of toPick) {
    // A command that was dropped gets a new key.
    const { unasked = 0, isAway } = picks[commit] ?? {}
    const again = unasked > 0 ? ` ${unasked}` : ''
    const command = {
      subject: request.id,
      entityKey: entityKeyOf(release),
      idempotencyKey: `${request.id} ${commit}${again}`,
    }
    const place = { appId, releaseId, integrationId, connectionId, branch, commit }
    const payload = { ...place, askedBy: request.requester }
    if (isMerge)
      await scope.jobs.command(mergeKind, { ...command, payload: { ...payload, from: from! } })
    else await scope.jobs.command(pickKind, { ...command, payload })
    picks[commit] = { state: 'asked', unasked, isAway }
    await yieldToOthers()
  }
  request.picks = picks
  await request.useTransaction(scope.transaction).save()
}

async function setMerged(
  scope: Scope,
  release: Release,
  request: FixRequest,
  code: ReleaseCode | null
): Promise<void> {
  const included = codeInRelease(request, code)
  request.merge({ status: 'merged', mergedAt: scope.now, includedCode: included })
  await request.useTransaction(scope.transaction).save()
  const build = (await missingInBuild(scope, release))(included ?? 'unseen')
  recordFixEvent(scope, release, request, {
    type: 'fixRequest.merged',
    title: `Fix merged: ${request.title}${build ? `. It is ${notIn(build)}` : ''}`,
    data: {
      commits: Object.entries(request.picks).map(([commitHash, { state, pickedAs = null }]) => ({
        commitHash,
        state,
        pickedAs,
      })),
    },
  })
}

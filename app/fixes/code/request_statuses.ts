import type { Scope } from '#foundation/core/scope'
import { repositoryOf } from '#integrations/queries/app_integrations'
import { releaseFeaturesOf } from '#features/queries/release_features'
import type Release from '#releases/models/release'
import type { AppRepository } from '#version_control/repository/app_repository'
import { listFixRequests } from '../queries/fix_requests.js'
import { statusKind } from '../work_kinds.js'

/**
 * Plans a status for each pull request against the branch of a release: whether an approved request
 * names it. A status that is already posted is not posted again.
 */
export async function requestStatuses(
  scope: Scope,
  release: Release,
  { integration }: AppRepository
): Promise<void> {
  if (!release.settings.enableFixStatusChecks || release.releaseBranch === null) return
  const features = await releaseFeaturesOf(scope, release.id)
  const home = await repositoryOf(scope, release.appId)
  // Pull requests of another repository do not count here.
  if (features?.repository !== home) return
  const pulls = (features?.openPulls ?? []).filter(({ base }) => base === release.releaseBranch)
  if (pulls.length === 0) return
  const requests = (await listFixRequests(scope, release.id)).map((request) => ({
    ...request,
    isHome: (request.repository ?? home) === home,
  }))
  for (const { number, sha, keys } of pulls) {
    const own = requests.filter(
      ({ pullRequests, ticketId, isHome }) =>
        (isHome && pullRequests.includes(number)) ||
        (ticketId !== null && keys.includes(ticketId.toUpperCase()))
    )
    const approved = own.find(({ status }) => ['approved', 'merged', 'failed'].includes(status))
    const state = approved ? 'success' : 'pending'
    const why = own.map(({ id, status }) => `${id} ${status}`).join(' ')
    await scope.jobs.command(statusKind, {
      subject: `${release.id} ${number}`,
      idempotencyKey: `${release.id} ${number} ${sha} ${state} ${why}`.slice(0, 250),
      payload: {
        appId: release.appId,
        releaseId: release.id,
        integrationId: integration.id,
        connectionId: integration.connectionId,
        number,
        commit: sha,
        state,
        description: approved
          ? `The fix is approved: ${approved.title}`.slice(0, 140)
          : 'A fix request that names it has to be approved.',
      },
    })
  }
}

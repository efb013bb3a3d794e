import type { Scope } from '#foundation/core/scope'
import { isPersonal } from '#integrations/ask_provider'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { findRepository } from './app_repository.js'
import { blockKickoff, setKickoffFacts } from './block_kickoff.js'
import { branchKind } from './branch_kind.js'
import { branchOf } from './release_branch.js'

/**
 * Has the branch of a release cut, or found, by a worker, which kicks the release off. While one
 * is at it nothing is asked again.
 * @returns whether it is a matter of a branch at all
 */
export async function wishBranch(scope: Scope, release: Release): Promise<boolean> {
  const repository = await findRepository(scope, release.appId)
  const wanted = repository && branchOf(repository, release)
  if (!wanted) return false
  if ('problem' in wanted) {
    await blockKickoff(scope, release, { blockedReason: wanted.problem })
    return true
  }
  const underWay = scope
    .table('agenda_entries')
    .where({ kind: branchKind.name, subject: release.id })
    .whereNull('finished_at')
  if (await underWay.select('id').first()) return true
  const { id: integrationId, connectionId } = repository.integration
  await scope.agenda.wish(branchKind, {
    subject: release.id,
    entityKey: `release ${release.id}`,
    payload: {
      appId: release.appId,
      integrationId,
      connectionId,
      isPersons: isPersonal(scope),
      ...wanted,
    },
  })
  recordReleaseEvent(scope, release, {
    type: 'release.branchWanted',
    title: `The branch ${wanted.name} is to be cut`,
    data: { branch: wanted.name },
    payload: null,
  })
  await setKickoffFacts(scope, release, { blockedReason: null })
  return true
}

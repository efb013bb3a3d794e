import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { planningPort, type BranchCommand } from '#releases/ports'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { findRepository } from '../repository/app_repository.js'
import { blockKickoff, setKickoffFacts } from '#releases/lifecycle/block_kickoff'
import { branchKind, type RequestedBranch } from './branch_kind.js'
import { branchOf } from '../repository/release_branch.js'

interface Asking {
  askedBy?: Actor
  /** Id of the command that this transaction ends; it does not count as under way. */
  ending?: string
}

/**
 * Queues the creation (or look-up) of a release branch. The worker then kicks the release off.
 * Queues nothing while a call for the same branch runs; cancels a request for another name.
 */
export async function requestBranch(
  scope: Scope,
  release: Release,
  { askedBy = scope.actor, ending }: Asking = {}
): Promise<BranchCommand> {
  const repository = await findRepository(scope, release.appId)
  const wanted = repository && branchOf(repository, release)
  if (!wanted) return { is: 'none' }
  if ('problem' in wanted) {
    const reason = wanted.problem
    await blockKickoff(scope, release, { blockedReason: reason })
    return { is: 'blocked', reason }
  }
  const { id: integrationId, connectionId } = repository.integration
  const bump = await wantedBump(scope, release)
  const place = {
    appId: release.appId,
    integrationId,
    connectionId,
    ...wanted,
    ...(bump && { bump }),
  }
  const underWay = (await openCommands(scope, release)).filter(({ id }) => id !== ending)
  if (underWay.some(({ payload: { askedBy: _, ...other } }) => isDeepStrictEqual(other, place))) {
    return { is: 'underWay' }
  }
  await scope.jobs.cancel(branchKind, release.id)
  await scope.jobs.command(branchKind, {
    subject: release.id,
    entityKey: entityKeyOf(release),
    payload: { ...place, askedBy },
  })
  recordReleaseEvent(scope, release, {
    type: 'release.branchWanted',
    title: `The branch ${wanted.name} will be cut`,
    data: { branch: wanted.name },
    payload: null,
  })
  await setKickoffFacts(scope, release, { blockedReason: null })
  return { is: 'underWay' }
}

/** Returns the version that is to be written with the branch; undefined if none was requested. */
async function wantedBump(scope: Scope, release: Release): Promise<RequestedBranch['bump']> {
  if (release.createType !== 'release') return undefined
  const { version, settings, hotfixOptions } = release
  const bump = { version, files: settings.versionFiles }
  if (hotfixOptions?.bumpVersion) return bump
  const askedBy = await planningPort.provided.bumpsBeforeKickoff(scope, release)
  return askedBy ? { ...bump, askedBy } : undefined
}

/** Serializes the calls to version control for a release, in the order of their requests. */
export const entityKeyOf = ({ id }: Pick<Release, 'id'>) => `release ${id}`

/** Returns whether a worker is about to cut or find the branch of a release. */
export const isBranchUnderWay = async (scope: Scope, release: Release): Promise<boolean> =>
  release.kickedOffAt === null && (await openCommands(scope, release)).length > 0

/** Requests the branch again if it is under way and should have another name or start by now. */
export async function followBranch(scope: Scope, release: Release): Promise<void> {
  if (release.kickedOffAt !== null) return
  const [first] = await openCommands(scope, release)
  if (!first) return
  const { is } = await requestBranch(scope, release, { askedBy: first.payload.askedBy })
  if (is !== 'underWay') await cancelBranch(scope, release)
}

/** Cancels the request for a branch. The result of a call that already runs is ignored. */
export async function cancelBranch(scope: Scope, { id }: Pick<Release, 'id'>): Promise<void> {
  await scope.jobs.cancel(branchKind, id)
}

async function openCommands(
  scope: Scope,
  { id: subject }: Release
): Promise<{ id: string; payload: RequestedBranch }[]> {
  const rows: { id: string; payload: string }[] = await scope
    .table('jobs')
    .where({ kind: branchKind.name, subject })
    .whereNull('finished_at')
    .orderBy('place')
    .select('id', 'payload')
  return rows.map(({ id, payload }) => ({ id, payload: JSON.parse(payload) as RequestedBranch }))
}

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

interface RequestOptions {
  askedBy?: Actor
  /** Id of the command that this transaction ends; it does not count as pending. */
  ending?: string
}

/**
 * Queues a command that creates or finds the branch of a release; the worker then kicks the release
 * off. Does nothing if the same command is pending, and cancels pending ones for other branches.
 */
export async function requestBranch(
  scope: Scope,
  release: Release,
  { askedBy = scope.actor, ending }: RequestOptions = {}
): Promise<BranchCommand> {
  const repository = await findRepository(scope, release.appId)
  const target = repository && branchOf(repository, release)
  if (!target) return { kind: 'none' }
  if ('problem' in target) {
    const reason = target.problem
    await blockKickoff(scope, release, { blockedReason: reason })
    return { kind: 'blocked', reason }
  }
  const { id: integrationId, connectionId } = repository.integration
  const bump = await requestedBump(scope, release)
  const command = {
    appId: release.appId,
    integrationId,
    connectionId,
    ...target,
    ...(bump && { bump }),
  }
  const pending = (await openCommands(scope, release)).filter(({ id }) => id !== ending)
  if (pending.some(({ payload: { askedBy: _, ...other } }) => isDeepStrictEqual(other, command))) {
    return { kind: 'underWay' }
  }
  await scope.jobs.cancel(branchKind, release.id)
  await scope.jobs.command(branchKind, {
    subject: release.id,
    entityKey: entityKeyOf(release),
    payload: { ...command, askedBy },
  })
  recordReleaseEvent(scope, release, {
    type: 'release.branchWanted',
    title: `The branch ${target.name} will be cut`,
    data: { branch: target.name },
    payload: null,
  })
  await setKickoffFacts(scope, release, { blockedReason: null })
  return { kind: 'underWay' }
}

/** Returns the version to write on the new branch; undefined if none was requested. */
async function requestedBump(scope: Scope, release: Release): Promise<RequestedBranch['bump']> {
  if (release.createType !== 'release') return undefined
  const { version, settings, hotfixOptions } = release
  const bump = { version, files: settings.versionFiles }
  if (hotfixOptions?.bumpVersion) return bump
  const askedBy = await planningPort.provided.bumpsBeforeKickoff(scope, release)
  return askedBy ? { ...bump, askedBy } : undefined
}

/** Returns the key that serializes the version control calls for a release. */
export const entityKeyOf = ({ id }: Pick<Release, 'id'>) => `release ${id}`

/** Returns whether a command to create or find the branch of a release is pending. */
export const isBranchUnderWay = async (scope: Scope, release: Release): Promise<boolean> =>
  release.kickedOffAt === null && (await openCommands(scope, release)).length > 0

/** Replaces a pending request for a branch whose name or starting point is outdated. */
export async function followBranch(scope: Scope, release: Release): Promise<void> {
  if (release.kickedOffAt !== null) return
  const [first] = await openCommands(scope, release)
  if (!first) return
  const { kind } = await requestBranch(scope, release, { askedBy: first.payload.askedBy })
  if (kind !== 'underWay') await cancelBranch(scope, release)
}

/** Cancels the request for a branch. The result of a running call is ignored. */
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

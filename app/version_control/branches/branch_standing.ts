import type { Job } from '#foundation/jobs/handlers'
import type { Scope } from '#foundation/core/scope'
import { ruleOn } from '#releases/engine/transitions'
import { planningPort } from '#releases/ports'
import { isReleaseThere } from '#releases/queries/find_release'
import { readReleaseById, type ReleaseRow } from '#releases/queries/read_release'
import { findRepository } from '../repository/app_repository.js'
import type { RequestedBranch } from './branch_kind.js'
import { branchOf } from '../repository/release_branch.js'

/**
 * The current standing of a requested branch. `wanted`: still to be made. `other`: the release or
 * the settings changed, so another branch is wanted. `over`: the release was deleted, skipped,
 * completed or kicked off. `held`: something currently holds back whoever requested it.
 */
type BranchStanding = { kind: 'wanted' | 'other' | 'over' } | { kind: 'held'; by: string }

/** Returns the standing of a requested branch. Also called outside of a transaction, before the call. */
export async function branchStanding(
  scope: Scope,
  { subject, payload }: Job<RequestedBranch>
): Promise<BranchStanding> {
  if (!(await isReleaseThere(scope, payload.appId, subject))) return { kind: 'over' }
  const { release } = await readReleaseById(scope, payload.appId, subject)
  const ruling = ruleOn(release.status, 'kickoff', release, [])
  if (!ruling.allowed || release.kickedOffAt !== null) return { kind: 'over' }
  const { askedBy } = payload
  const by = askedBy && (await planningPort.provided.whyHeld(scope, release, askedBy))
  if (by) return { kind: 'held', by }
  return { kind: (await isSameBranch(scope, release, payload)) ? 'wanted' : 'other' }
}

/** Returns whether the requested branch is still the one that the release should have. */
export async function isSameBranch(
  scope: Scope,
  release: Pick<ReleaseRow, 'appId' | 'createType' | 'version' | 'releaseName' | 'baseTag'>,
  { name }: RequestedBranch
): Promise<boolean> {
  const repository = await findRepository(scope, release.appId)
  const wanted = repository && branchOf(repository, release)
  return wanted !== null && 'name' in wanted && wanted.name === name
}

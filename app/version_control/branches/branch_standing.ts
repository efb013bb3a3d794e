import type { Entry } from '#foundation/agenda/handlers'
import type { Scope } from '#foundation/core/scope'
import { ruleOn } from '#releases/engine/transitions'
import { planningPort } from '#releases/ports'
import { isReleaseThere } from '#releases/queries/find_release'
import { readReleaseById, type ReleaseRow } from '#releases/queries/read_release'
import { findRepository } from '../repository/app_repository.js'
import type { WishedBranch } from './branch_kind.js'
import { branchOf } from '../repository/release_branch.js'

/**
 * How it stands now about a branch that was asked for: still to be made; another one is, as the
 * release or the settings of its app changed; nothing is, as the release was deleted, skipped,
 * completed or kicked off meanwhile; or not now, as something holds back who asked for it.
 */
type BranchStanding = { is: 'wanted' | 'other' | 'over' } | { is: 'held'; by: string }

/** Looks how it stands about a branch; also outside of a transaction, before it is asked for. */
export async function branchStanding(
  scope: Scope,
  { subject, payload }: Entry<WishedBranch>
): Promise<BranchStanding> {
  if (!(await isReleaseThere(scope, payload.appId, subject))) return { is: 'over' }
  const { release } = await readReleaseById(scope, payload.appId, subject)
  const ruling = ruleOn(release.status, 'kickoff', release, [])
  if (!ruling.allowed || release.kickedOffAt !== null) return { is: 'over' }
  const { askedBy } = payload
  const by = askedBy && (await planningPort.provided.holds(scope, release, askedBy))
  if (by) return { is: 'held', by }
  return { is: (await isSameBranch(scope, release, payload)) ? 'wanted' : 'other' }
}

/** Whether a branch that was asked for is the one that the release is to have now. */
export async function isSameBranch(
  scope: Scope,
  release: Pick<ReleaseRow, 'appId' | 'createType' | 'version' | 'releaseName' | 'baseTag'>,
  { name }: WishedBranch
): Promise<boolean> {
  const repository = await findRepository(scope, release.appId)
  const wanted = repository && branchOf(repository, release)
  return wanted !== null && 'name' in wanted && wanted.name === name
}

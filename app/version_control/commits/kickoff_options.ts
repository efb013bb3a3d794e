import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { findRepository } from '../repository/app_repository.js'
import { requestBump } from './bump_version.js'
import { recordPicks } from '#releases/picks/record_picks'
import { requestPicks } from './pick_commits.js'
import { codeBranchOf } from '../repository/release_branch.js'

/**
 * Queues the changes to a release's branch that were requested with its creation: cherry-picks,
 * then the version bump. A failed pick does not affect the other picks or the bump.
 */
export async function requestKickoffOptions(scope: Scope, release: Release): Promise<void> {
  const { hotfixOptions: options, version } = release
  if (!options) return
  // A branch that the kickoff created already has the version.
  const mustBump =
    options.bumpVersion && !(release.createType === 'release' && release.releaseBranch)
  const hasPicks = options.cherryPickCommits.length > 0
  if (!mustBump && !hasPicks) return
  const repository = await findRepository(scope, release.appId)
  const branch = repository && codeBranchOf(repository, release)
  if (branch && hasPicks) await requestPicks(scope, release, repository, branch)
  else if (hasPicks) {
    recordReleaseEvent(scope, release, {
      type: 'fix.cherryPickFailed',
      title: `There is no branch to pick commits onto`,
      data: { branch: null, commitHashes: options.cherryPickCommits, files: [] },
      payload: null,
    })
    const failed = { status: 'failed', failure: 'there is no branch to pick it onto' } as const
    await recordPicks(scope, release, options.cherryPickCommits, failed)
  }
  if (!mustBump) return
  const bump = branch ? await requestBump(scope, release, { version, branch }) : NO_BRANCH
  if (bump.kind === 'underWay') return
  recordReleaseEvent(scope, release, {
    type: 'release.bumpFailed',
    title: `The version could not be bumped: ${bump.reason}`,
    data: { branch, version },
    payload: null,
  })
}

const NO_BRANCH = { kind: 'blocked', reason: 'The release has no branch.' } as const

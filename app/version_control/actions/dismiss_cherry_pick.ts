import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type { DismissPickInput } from '../validators/version_control_input.js'
import { requestedPicks } from '#releases/picks/cherry_picks'
import { recordPicks } from '#releases/picks/record_picks'

/**
 * Dismisses a requested cherry-pick, so that the release goes out without it, or takes that back.
 */
export class DismissCherryPick {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, invalid_input, release_completed, release_skipped, cherry_pick_in */
  async handle(release: Release, hash: string, input: DismissPickInput): Promise<void> {
    const { scope } = this
    const named = hash.toLowerCase()
    const found = requestedPicks(release).filter(({ commit }) => {
      const requested = commit.toLowerCase()
      return requested.startsWith(named) || named.startsWith(requested)
    })
    if (named.length < 7 || found.length !== 1) {
      throw refuse('not_found', {
        detail: `No such commit is waiting to be picked for ${release.version}.`,
      })
    }
    const [{ commit, status, failure, dismissed }] = found
    const { dismissed: isDismissed, reason } = input
    requireOpen(release)
    if (status === 'picked') {
      throw refuse('cherry_pick_in', { detail: `${release.version} has ${commit}.` })
    }
    const isSame = isDismissed === (status === 'dismissed')
    if (isSame && (!isDismissed || reason === dismissed?.reason)) return
    recordReleaseEvent(scope, release, {
      type: 'fix.cherryPickDismissed',
      title: isDismissed
        ? `${release.version} goes out without ${commit}: ${reason}`
        : `${release.version} waits for ${commit} again`,
      data: { commitHash: commit, dismissed: isDismissed, reason: isDismissed ? reason : null },
      payload: null,
    })
    await recordPicks(
      scope,
      release,
      [commit],
      isDismissed
        ? { status: 'dismissed', dismissed: { by: scope.actor, reason: reason!, at: scope.now } }
        : { status: failure === null ? 'requested' : 'failed', dismissed: null }
    )
  }
}

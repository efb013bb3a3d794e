import type { Scope } from '#foundation/core/scope'
import { isReleasedByCompleting } from '../engine/phase.js'
import { loadFacts } from '../queries/load_facts.js'
import { recordReleased } from '../record_released.js'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { demandAllowed } from '../demand_allowed.js'
import { moveTrain } from '../lifecycle/move_train.js'
import { settle } from '../lifecycle/settle.js'
import { cancelBranch } from '../version_control/wish_branch.js'

/**
 * Completes by hand a release that has no automatic signal; the train moves on. What was begun
 * is released by it, what nobody began is only closed.
 */
export class CompleteRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release): Promise<void> {
    const { scope } = this
    const ruling = await demandAllowed(scope, release, 'complete')
    if (!ruling.changes) return
    const { facts } = await loadFacts(scope, release)
    const goesLive = release.releasedAt === null && isReleasedByCompleting(facts)
    release.merge({
      status: 'completed',
      completedAt: scope.now,
      updatedAt: scope.now,
      ...(goesLive && { releasedAt: scope.now }),
    })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.updated',
      title: `${release.version} was completed by hand`,
      data: { status: { from: 'active', to: 'completed' } },
      payload: null,
    })
    if (goesLive) await recordReleased(scope, release)
    await cancelBranch(scope, release)
    await settle(scope, release)
    await moveTrain(scope, release.appId)
  }
}

import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { timelineRows } from '../queries/timeline.js'
import { demandAllowed } from '../demand_allowed.js'
import { moveTrain } from '../lifecycle/move_train.js'
import { settle } from '../lifecycle/settle.js'
import { cancelCodeWishes } from '../version_control/cancel_wishes.js'

/**
 * Skips a version that never shipped; the train moves on. Repeating it changes nothing; another
 * reason is told beside the one before.
 */
export class SkipRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release, reason: string | null): Promise<void> {
    const { scope } = this
    const ruling = await demandAllowed(scope, release, 'skip')
    if (!ruling.changes) return this.#tellReason(release, reason)
    const from = release.status
    release.merge({
      status: 'skipped',
      statusBeforeSkip: from,
      skippedAt: scope.now,
      updatedAt: scope.now,
    })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.skipped',
      title: `${release.version} was skipped`,
      data: { status: { from, to: 'skipped' }, reason },
      payload: null,
    })
    await cancelCodeWishes(scope, release.id)
    await settle(scope, release)
    await moveTrain(scope, release.appId)
  }

  async #tellReason(release: Release, reason: string | null): Promise<void> {
    if (reason === null) return
    const filter = { type: 'release.skipped', limit: 1 }
    const page = { limit: 1, after: null }
    const [told] = await timelineRows(this.scope, release.id, filter, page)
    if (told?.data.reason === reason) return
    recordReleaseEvent(this.scope, release, {
      type: 'release.skipped',
      title: `${release.version} is skipped for another reason`,
      data: { reason },
      payload: null,
    })
  }
}

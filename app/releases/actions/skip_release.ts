import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { demandAllowed } from '../demand_allowed.js'
import { moveTrain } from '../lifecycle/move_train.js'
import { settle } from '../lifecycle/settle.js'

/** Skips a version that never shipped; the train moves on. Repeating it changes nothing. */
export class SkipRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release, reason: string | null): Promise<void> {
    const { scope } = this
    const ruling = await demandAllowed(scope, release, 'skip')
    if (!ruling.changes) return
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
    await settle(scope, release)
    await moveTrain(scope, release.appId)
  }
}

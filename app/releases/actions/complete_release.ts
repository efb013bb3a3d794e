import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { demandAllowed } from '../demand_allowed.js'
import { moveTrain } from '../lifecycle/move_train.js'
import { settle } from '../lifecycle/settle.js'

/** Completes by hand a release that has no automatic signal; the train moves on. */
export class CompleteRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release): Promise<void> {
    const { scope } = this
    const ruling = await demandAllowed(scope, release, 'complete')
    if (!ruling.changes) return
    release.merge({ status: 'completed', completedAt: scope.now, updatedAt: scope.now })
    await release.useTransaction(scope.transaction).save()
    recordReleaseEvent(scope, release, {
      type: 'release.updated',
      title: `${release.version} was completed by hand`,
      data: { status: { from: 'active', to: 'completed' } },
      payload: null,
    })
    await settle(scope, release)
    await moveTrain(scope, release.appId)
  }
}

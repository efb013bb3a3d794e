import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { requireAllowed } from '../preconditions/require_allowed.js'
import { requireNotLive } from '../preconditions/require_not_live.js'
import { releaseExtensions } from '../extensions.js'
import { nextEvaluation } from '../lifecycle/next_evaluation.js'
import { updateReleaseTypes } from '../lifecycle/follow_versions.js'
import { moveTrain } from '../lifecycle/move_train.js'

/**
 * Deletes a release that was not submitted, or was imported. Its events stay readable, and the
 * train moves on.
 */
export class DeleteRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release): Promise<void> {
    const { scope } = this
    await requireAllowed(scope, release, 'delete')
    if (!release.imported) await requireNotLive(scope, release, 'delete')
    recordReleaseEvent(scope, release, {
      type: 'release.deleted',
      title: `${release.version} was deleted`,
      data: { releaseId: release.publicId, status: release.status },
      payload: null,
    })
    for (const { lifecycle } of releaseExtensions.all) await lifecycle?.remove?.(scope, release)
    await scope.jobs.cancel(nextEvaluation, release.id)
    await release.useTransaction(scope.transaction).delete()
    await updateReleaseTypes(scope, release.appId, [release.parts])
    await moveTrain(scope, release.appId)
  }
}

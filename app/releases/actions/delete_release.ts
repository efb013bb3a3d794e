import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../record.js'
import { demandAllowed } from './demand_allowed.js'
import { moveTrain } from './move_train.js'

/** Removes a planned record; its events stay readable. The train moves on. */
export class DeleteRelease {
  constructor(private readonly scope: Scope) {}

  async handle(release: Release): Promise<void> {
    const { scope } = this
    await demandAllowed(scope, release, 'delete')
    recordReleaseEvent(scope, release, {
      type: 'release.deleted',
      title: `${release.version} was deleted`,
      data: { releaseId: release.publicId, status: release.status },
      payload: null,
    })
    // Rows of items refer to one-off items of the release, so they go first.
    await scope.table('release_items').where('release_id', release.id).delete()
    await scope.table('releases').where('id', release.id).delete()
    await moveTrain(scope, release.appId)
  }
}

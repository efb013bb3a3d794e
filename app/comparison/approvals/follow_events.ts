import type { EventSubscriber } from '#foundation/core/events/subscribers'
import { compareAnew } from './change_rules.js'

/**
 * Events after which users may have another version, a release may be gone, or a release may wait
 * only for a build.
 */
const TRIGGERS = new Set([
  'release.released',
  'release.imported',
  'release.deleted',
  'release.stepsReadyToSubmit',
  'release.skipped',
  'release.unskipped',
  'appStoreVersion.statusUpdated',
  'appStoreVersion.phasedReleaseUpdated',
])

/** Has builds compared again, as users may have another version now. */
export const followEvents: EventSubscriber = {
  async handle(scope, recorded) {
    const affected = recorded.flatMap(({ type, appId }) =>
      TRIGGERS.has(type) && appId ? appId : []
    )
    for (const appId of new Set(affected)) await compareAnew(scope, appId)
  },
}

import type { EventSubscriber } from '#foundation/core/events/subscribers'
import { compareAnew } from './change_rules.js'

/**
 * Events after which users may have another version, an app one release less, or a release waits
 * for nothing but a build.
 */
const MOVING = new Set([
  'release.released',
  'release.imported',
  'release.deleted',
  'release.stepsReadyToSubmit',
  'release.skipped',
  'release.unskipped',
  'appStoreVersion.statusUpdated',
  'appStoreVersion.phasedReleaseUpdated',
])

/** Has builds compared with the version that users have now. */
export const followEvents: EventSubscriber = {
  async follow(scope, recorded) {
    const moved = recorded.flatMap(({ type, appId }) => (MOVING.has(type) && appId ? appId : []))
    for (const appId of new Set(moved)) await compareAnew(scope, appId)
  },
}

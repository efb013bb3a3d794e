import { RETRIES } from '#foundation/jobs/retry'
import { onTime } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import { releaseById } from '../queries/find_release.js'
import { nextLook } from './next_look.js'

/** Derives a release anew when time alone has changed what follows from its facts. */
export const evaluateOnTime = onTime(nextLook, {
  actor: 'clock',
  lease: MINUTE,
  retry: RETRIES.hours,
  // As every write to the app does first.
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { subject, payload: { appId } }) {
    const there = scope.table('releases').where({ id: subject, app_id: appId }).select('id')
    if (!(await there.first())) return
    const release = await releaseById(scope, appId, subject)
    // This look is over. Where a clock was set back the same follows, and is planned again.
    release.nextLookAt = null
    scope.touch(release)
  },
})

import { RETRIES } from '#foundation/jobs/retry'
import { onTime } from '#foundation/jobs/handlers'
import { releaseStillThere } from '#releases/queries/find_release'
import { MINUTE } from '#foundation/core/durations'
import { followFixes } from '../code/follow_fixes.js'
import { followKind } from '../work_kinds.js'

/** Re-evaluates the fix requests of a release after changes of its code. */
export const followOnTime = onTime(followKind, {
  actor: 'version control',
  lease: MINUTE,
  retry: RETRIES.atOnce,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { subject, payload }) {
    const release = await releaseStillThere(scope, payload.appId, subject)
    if (release) await followFixes(scope, release)
  },
})

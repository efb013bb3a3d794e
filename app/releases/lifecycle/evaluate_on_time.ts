import { RETRIES } from '#foundation/jobs/retry'
import { onTime } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import { releaseById } from '../queries/find_release.js'
import { nextEvaluation } from './next_evaluation.js'

/** Derives a release again at the time when its evaluation changes although no fact does. */
export const evaluateOnTime = onTime(nextEvaluation, {
  actor: 'clock',
  lease: MINUTE,
  retry: RETRIES.hours,
  // Every write to an app takes this lock first.
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { subject, payload: { appId } }) {
    const found = scope.table('releases').where({ id: subject, app_id: appId }).select('id')
    if (!(await found.first())) return
    const release = await releaseById(scope, appId, subject)
    // Cleared, so that the job is planned again if the clock was set back.
    release.nextEvaluationAt = null
    scope.touch(release)
  },
})

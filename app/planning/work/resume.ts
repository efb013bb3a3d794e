import { RETRIES } from '#foundation/jobs/retry'
import { MINUTE } from '#foundation/core/durations'
import { onTime } from '#foundation/jobs/handlers'
import { releaseStillThere } from '#releases/queries/find_release'
import { SetPause } from '../actions/set_pause.js'
import { resumeKind } from '../work_kinds.js'
import { appPlan, releasePlan } from '../plans/plans.js'

/** Resumes automations at the end of a pause. */
export const resumeAutomations = onTime(resumeKind, {
  actor: 'clock',
  lease: MINUTE,
  retry: RETRIES.hours,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { subject, payload: { appId, releaseId } }) {
    const release = releaseId === null ? null : await releaseStillThere(scope, appId, releaseId)
    if (releaseId !== null && !release) return
    const { pause } = release ? await releasePlan(scope, release) : await appPlan(scope, appId)
    if (!pause || pause.resumeAt === null) return
    if (pause.resumeAt > scope.now) {
      // The clock of this process is behind.
      await scope.jobs.plan(resumeKind, {
        subject,
        at: pause.resumeAt,
        payload: { appId, releaseId },
      })
      return
    }
    await new SetPause(scope).set(appId, release, null)
  },
})

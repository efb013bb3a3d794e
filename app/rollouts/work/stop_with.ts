import { onTime } from '#foundation/jobs/handlers'
import { later } from '#foundation/core/clock'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { releaseOfVersion } from '#builds/queries/match_release'
import { HOUR, MINUTE } from '#foundation/core/durations'
import { stopWithKind } from '../work_kinds.js'
import { policiesOf } from '../queries/policies.js'
import { stopRelease } from '../stop_release.js'

/** Stops the same version in another app of the group, after it was found unhealthy in one. */
export const stopWith = onTime(stopWithKind, {
  actor: 'rollout policy',
  isAutomation: true,
  lease: MINUTE,
  retry: { steps: [MINUTE, MINUTE, 10 * MINUTE, HOUR] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { payload: { appId, version, because } }) {
    // The release's status does not matter: stores may still roll it out.
    const { releaseId } = await releaseOfVersion(scope, appId, version)
    const release = releaseId === null ? null : await releaseStillThere(scope, appId, releaseId)
    if (!release) return
    const stopped = await stopRelease(scope, release, `Stopped, as ${because}`)
    if (stopped === null || stopped === 0) return
    const policies = await policiesOf(scope, appId)
    recordReleaseEvent(scope, release, {
      type: 'rollout.stopped',
      title: `The rollout of ${version} is being stopped: ${because}`,
      data: { reason: 'appGroup', call: policies.flatMap(({ policy }) => policy.call) },
      payload: null,
    })
  },
  /** The version is still unhealthy after a failure, so it is tried again. */
  async afterLast(scope, { subject, payload }) {
    await scope.jobs.plan(stopWithKind, { subject, at: later(scope.now, HOUR), payload })
  },
})

import { onTime } from '#foundation/agenda/handlers'
import { later } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { releaseById } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { releases } from '#releases/tables'
import { HOUR, MINUTE } from '#foundation/core/durations'
import { stopWithKind } from '../kinds.js'
import { policiesOf } from '../queries/policies.js'
import { stopRelease } from '../stop_release.js'

const OF_VERSION = select(
  of(releases, 'r', ['id']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and r.version = :version and r.status = 'active'`
)

/** Stops the same version in another app of the group, where one was found unhealthy. */
export const stopWith = onTime(stopWithKind, {
  actor: 'rollout policy',
  isAutomation: true,
  lease: MINUTE,
  retry: { steps: [MINUTE, MINUTE, 10 * MINUTE, HOUR] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { payload: { appId, version, because } }) {
    const [found] = await scope.rows(OF_VERSION, { appId, version })
    if (!found) return
    const release = await releaseById(scope, appId, found.id)
    const stopped = await stopRelease(scope, release, `Stopped, as ${because}`)
    if (stopped === null || stopped === 0) return
    const policies = await policiesOf(scope, appId)
    recordReleaseEvent(scope, release, {
      type: 'rollout.stopped',
      title: `The rollout of ${version} is stopped: ${because}`,
      data: { reason: 'appGroup', call: policies.flatMap(({ policy }) => policy.call) },
      payload: null,
    })
  },
  /** It is unhealthy there all the same. */
  async afterLast(scope, { subject, payload }) {
    await scope.agenda.plan(stopWithKind, { subject, at: later(scope.now, HOUR), payload })
  },
})

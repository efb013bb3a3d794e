import { RETRIES } from '#foundation/agenda/retry'
import { onTime } from '#foundation/agenda/handlers'
import { later } from '#foundation/core/clock'
import { as, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { MINUTE } from '#foundation/core/durations'
import { planOf } from '../change_plan.js'
import { bringKind, checkStopKind } from '../work_kinds.js'

/** Between two calls of people while a store does not confirm a stop, in milliseconds. */
const CALLED_EVERY = 60 * MINUTE

const IN_VAIN = select(
  { reason: as(optional(text()), 'max(a.last_error)') },
  `from agenda_entries a where a.organization_id = :org and a.kind = '${bringKind.name}'
    and a.subject = :releaseId and a.finished_at is null`
)

/** Calls people where a store has not confirmed for long that a rollout is stopped. */
export const checkStop = onTime(checkStopKind, {
  actor: 'app store',
  lease: MINUTE,
  retry: RETRIES.ofLook,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { subject, payload }) {
    const { appId, releaseId, integrationId, askedAt } = payload
    const release = await releaseStillThere(scope, appId, releaseId)
    const rollout = (await planOf(scope, releaseId, integrationId))?.rollout
    if (!release || rollout?.is !== 'underWay' || rollout.at !== askedAt) return
    const [{ reason }] = await scope.rows(IN_VAIN, { releaseId })
    const why = reason ?? 'The store does not answer'
    recordReleaseEvent(scope, release, {
      type: 'store.failed',
      title: `The rollout of ${release.version} is not stopped yet: ${why}. The store is asked until it confirms it`,
      data: { what: 'rollout', reason: why, call: [] },
      payload: null,
    })
    const at = later(scope.now, CALLED_EVERY)
    await scope.agenda.plan(checkStopKind, { subject, at, payload })
  },
})

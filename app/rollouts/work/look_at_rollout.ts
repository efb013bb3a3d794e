import { onTime } from '#foundation/jobs/handlers'
import { later } from '#foundation/core/clock'
import { releaseStillThere } from '#releases/queries/find_release'
import { storesOfRelease } from '#stores/queries/store_state'
import { HOUR, MINUTE } from '#foundation/core/durations'
import { MoveRollout } from '../actions/move_rollout.js'
import { policyOf } from '../queries/policies.js'
import { endPress } from '../end_press.js'
import { rollouts } from '../tables.js'
import { checkKind } from '../work_kinds.js'
import { rolloutsOf } from '../watch_rollouts.js'

/** Checks a rollout when it is due. */
export const checkRollout = onTime(checkKind, {
  actor: 'rollout policy',
  isAutomation: true,
  lease: MINUTE,
  retry: { steps: [MINUTE, MINUTE, 10 * MINUTE, HOUR] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { payload: { appId, releaseId, integrationId } }) {
    const release = await releaseStillThere(scope, appId, releaseId)
    if (!release) return
    await endPress(scope, release)
    const rows = await rolloutsOf(scope, releaseId)
    const row = rows.find((each) => each.integrationId === integrationId)
    const stores = await storesOfRelease(scope, release)
    const store = stores.find(({ target }) => target.integrationId === integrationId)
    if (!row || row.endedAt !== null) return
    const policy = store ? await policyOf(scope, appId, store.destinationId) : null
    if (!store) {
      await scope.update(rollouts, { id: row.id }, { lookAt: null, next: null })
      return
    }
    const move = new MoveRollout(scope)
    const isOver = release.status !== 'active'
    if (!policy || (isOver && policy.guard === null)) return move.leave(release, store, row)
    await move.handle(release, store, row, policy)
  },
  /** Without another job, nothing would check it again after a failure. */
  async afterLast(scope, { subject, payload }) {
    await scope.jobs.plan(checkKind, { subject, at: later(scope.now, HOUR), payload })
  },
})

import { onTime } from '#foundation/agenda/handlers'
import { releaseStillThere } from '#releases/queries/find_release'
import { storesOfRelease } from '#stores/queries/store_state'
import { MoveRollout } from '../actions/move_rollout.js'
import { policyOf } from '../queries/policies.js'
import { rollouts } from '../tables.js'
import { lookKind } from '../kinds.js'
import { rolloutsOf } from '../watch_rollouts.js'

const MINUTE = 60_000

/** Looks at a rollout when its time has come. */
export const lookAtRollout = onTime(lookKind, {
  actor: 'rollout policy',
  isAutomation: true,
  lease: MINUTE,
  retry: { steps: [MINUTE, MINUTE, 10 * MINUTE, 60 * MINUTE, 360 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { payload: { appId, releaseId, integrationId } }) {
    const release = await releaseStillThere(scope, appId, releaseId)
    if (!release) return
    const rows = await rolloutsOf(scope, releaseId)
    const row = rows.find((each) => each.integrationId === integrationId)
    const stores = await storesOfRelease(scope, release)
    const store = stores.find(({ target }) => target.integrationId === integrationId)
    if (!row || row.endedAt !== null) return
    const policy = store ? await policyOf(scope, appId, store.destinationId) : null
    if (!store || !policy || release.status !== 'active') {
      await scope.update(rollouts, { id: row.id }, { lookAt: null, next: null })
      return
    }
    await new MoveRollout(scope).handle(release, store, row, policy)
  },
})

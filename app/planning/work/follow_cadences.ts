import { RETRIES } from '#foundation/jobs/retry'
import { MINUTE } from '#foundation/core/durations'
import { onTime } from '#foundation/jobs/handlers'
import { SetCadence } from '../actions/set_cadence.js'
import { following } from '../kinds.js'
import { leaderOf } from '../plans/plans.js'

/** Apps follow the cadence of another as it was changed. */
export const followCadences = onTime(following, {
  actor: 'scheduleCadence',
  isAutomation: true,
  lease: MINUTE,
  retry: RETRIES.hours,
  async lock(scope, { payload: { appId } }) {
    // In the order of all who lock several apps. Who chose another leader since then planned this anew.
    const leader = (await leaderOf(scope, appId)) ?? appId
    for (const id of [...new Set([appId, leader])].sort()) await scope.lock('apps', id)
  },
  async act(scope, { payload: { appId } }) {
    await new SetCadence(scope).follow(appId)
  },
})

import { RETRIES } from '#foundation/jobs/retry'
import { MINUTE } from '#foundation/core/durations'
import { onTime } from '#foundation/jobs/handlers'
import { SetCadence } from '../actions/set_cadence.js'
import { followCadenceKind } from '../work_kinds.js'
import { leaderOf } from '../plans/plans.js'

/** Brings an app in line with the changed cadence that it follows. */
export const followCadences = onTime(followCadenceKind, {
  actor: 'scheduleCadence',
  isAutomation: true,
  lease: MINUTE,
  retry: RETRIES.hours,
  async lock(scope, { payload: { appId } }) {
    // Locks of several apps are taken in the order of their ids. A change of the leader since then
    // has planned another run.
    const leader = (await leaderOf(scope, appId)) ?? appId
    for (const id of [...new Set([appId, leader])].sort()) await scope.lock('apps', id)
  },
  async act(scope, { payload: { appId } }) {
    await new SetCadence(scope).follow(appId)
  },
})

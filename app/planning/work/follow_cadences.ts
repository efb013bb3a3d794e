import { RETRIES } from '#foundation/agenda/retry'
import { MINUTE } from '#foundation/core/durations'
import { onTime } from '#foundation/agenda/handlers'
import { SetCadence } from '../actions/set_cadence.js'
import { following } from '../kinds.js'

/** Apps follow the cadence of another as it was changed. */
export const followCadences = onTime(following, {
  actor: 'scheduleCadence',
  isAutomation: true,
  lease: MINUTE,
  retry: RETRIES.hours,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { payload: { appId } }) {
    await new SetCadence(scope).follow(appId)
  },
})

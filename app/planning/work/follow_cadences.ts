import { onTime } from '#foundation/agenda/handlers'
import { SetCadence } from '../actions/set_cadence.js'
import { following } from '../kinds.js'
import { MINUTE, RETRY } from './shared.js'

/** Apps follow the cadence of another as it was changed. */
export const followCadences = onTime(following, {
  actor: 'scheduleCadence',
  isAutomation: true,
  lease: MINUTE,
  retry: RETRY,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { payload: { appId } }) {
    await new SetCadence(scope).follow(appId)
  },
})

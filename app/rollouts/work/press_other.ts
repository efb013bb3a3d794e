import { onWish } from '#foundation/agenda/handlers'
import { RETRIES } from '#foundation/agenda/retry'
import { MINUTE } from '#foundation/core/durations'
import { Problem } from '#foundation/core/problems/problem'
import { releaseStillThere } from '#releases/queries/find_release'
import { PressRedButton } from '../actions/press_red_button.js'
import { pressOtherKind } from '../kinds.js'

/** Stops the other release of a pair under the lock of its app; it asks nobody for it. */
export const pressOther = onWish(pressOtherKind, {
  actor: 'red button',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call() {
    return { outcome: 'applied', answer: null }
  },
  async answer(scope, { payload: { appId, releaseId, reason } }) {
    const release = await releaseStillThere(scope, appId, releaseId)
    if (!release) return
    try {
      await new PressRedButton(scope).handle(release, reason)
    } catch (error) {
      // Nothing of it is left that could be stopped.
      if (!(error instanceof Problem)) throw error
    }
  },
})

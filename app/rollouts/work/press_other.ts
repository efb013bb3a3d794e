import { onCommand } from '#foundation/jobs/handlers'
import { RETRIES } from '#foundation/jobs/retry'
import { MINUTE } from '#foundation/core/durations'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { ReleaseWarning } from '#releases/ports'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { reportPairOf } from '#stores/pairs/plan_pair_check'
import { PressRedButton } from '../actions/press_red_button.js'
import { pressOtherKind } from '../work_kinds.js'
import { NOTHING_TO_STOP } from '../stop_release.js'

/** Stops the other release of a pair under the lock of its app. It calls no provider. */
export const pressOther = onCommand(pressOtherKind, {
  actor: 'red button',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call() {
    return { outcome: 'applied', result: null }
  },
  async storeResult(scope, { payload: { appId, releaseId, reason } }) {
    const release = await releaseStillThere(scope, appId, releaseId)
    if (!release) return
    try {
      const left = await new PressRedButton(scope).handle(release, reason)
      const own = left.filter(({ code }) => !code.startsWith('pair_'))
      const isStopped = !own.some(({ code }) => NOTHING_TO_STOP.includes(code))
      await reportLeft(scope, release, own, isStopped)
    } catch (error) {
      // Nothing of the release can be stopped any more.
      if (!(error instanceof Problem)) throw error
      await reportLeft(scope, release, [error], false)
    }
  },
})

/**
 * Reports what was not stopped in both timelines: the person who pressed the button gets no answer
 * from this job.
 */
async function reportLeft(
  scope: Scope,
  release: Release,
  left: readonly Pick<ReleaseWarning, 'message'>[],
  isStopped: boolean
): Promise<void> {
  if (left.length === 0) return
  const { version } = release
  const what = isStopped ? `${version} is not stopped completely` : `${version} is not stopped`
  recordReleaseEvent(scope, release, {
    type: 'store.failed',
    title: `${what}, though the red button of both was pressed: ${left.map(({ message }) => message).join(' ')}`,
    data: { what: 'rollout', ...(!isStopped && { call: [] }) },
    payload: null,
  })
  if (isStopped) return
  await reportPairOf(scope, release, {
    type: 'store.failed',
    reported: (name) => `Not all of ${name} is stopped, though the red button of both was pressed`,
  })
}

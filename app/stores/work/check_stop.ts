import { RETRIES } from '#foundation/jobs/retry'
import { onTime } from '#foundation/jobs/handlers'
import { later, type Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { MINUTE } from '#foundation/core/durations'
import { planOf } from '../decisions/change_plan.js'
import { storesOf } from '../queries/store_targets.js'
import { storeRecordOf } from '../queries/store_record.js'
import { versionsOf } from '../queries/store_state.js'
import { isReleased } from '../reconciler/states.js'
import type { WantedRollout } from '../tables.js'
import { checkStopKind } from '../work_kinds.js'

/** Milliseconds between two checks of an unconfirmed stop. */
const CHECKED_EVERY = 60 * MINUTE

/**
 * Alerts people if a store has not confirmed the stop of a rollout for a long time: at each check
 * while the store is silent, and once per reason and day while it waits for anything else.
 */
export const checkStop = onTime(checkStopKind, {
  actor: 'app store',
  lease: MINUTE,
  retry: RETRIES.ofPoll,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { subject, payload }) {
    const { appId, releaseId, integrationId, generation } = payload
    const release = await releaseStillThere(scope, appId, releaseId)
    const plan = await planOf(scope, releaseId, integrationId)
    const rollout = plan?.rollout
    if (!release || !rollout || rollout.status === 'done') return
    if (rollout.generation !== generation) return
    const report = (details: string, reason: string) =>
      recordReleaseEvent(scope, release, {
        type: 'store.failed',
        title: `The rollout of ${release.version} is not confirmed as stopped${details}`,
        data: { what: 'rollout', reason, call: [] },
        payload: null,
      })
    const targets = await storesOf(scope, appId)
    if (!targets.some((target) => target.integrationId === integrationId)) {
      const gone = 'The app no longer has that store'
      return report(`: ${gone}. Stop it in its console.`, gone)
    }
    const why = rollout.reason ?? 'The store does not respond'
    const now = reportedOn(scope.now, why)
    // The person was informed when the question came up.
    const { question } = plan
    const before = payload.reported ?? (question && reportedOn(question.since, question.message))
    // A version that is not out needs no stop yet, as long as the store answers.
    const versions = await versionsOf(scope, [releaseId])
    const known = versions.find((each) => each.integrationId === integrationId)?.known
    const isOut = known ? isReleased(known.state) : false
    if ((isOut && before !== now) || (await isSilent(scope, integrationId, rollout))) {
      report(` yet: ${why}`, why)
    }
    const at = later(scope.now, CHECKED_EVERY)
    await scope.jobs.plan(checkStopKind, {
      subject,
      at,
      payload: { ...payload, ...(isOut && { reported: now }) },
    })
  },
})

const reportedOn = (at: Instant, why: string) => `${at.slice(0, 10)} ${why}`

/** Returns whether a stop waits only for a store that cannot be read, or that does not answer. */
async function isSilent(
  scope: Scope,
  integrationId: string,
  { status, generation, reason }: WantedRollout
): Promise<boolean> {
  if (status === 'failed') return false
  const record = await storeRecordOf(scope, { integrationId })
  if (reason === null || record === null || record.pollFailure !== null) return true
  const own = record.calls.findLast((each) => each.generation === generation)
  if (own === undefined || own.outcome?.kind === 'applied') return false
  return own.outcome?.kind !== 'refused' || own.outcome.retryAt !== null
}

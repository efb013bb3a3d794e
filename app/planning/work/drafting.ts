import { RETRIES } from '#foundation/jobs/retry'
import { DAY, MINUTE } from '#foundation/core/durations'
import { onTime } from '#foundation/jobs/handlers'
import { recordAppEvent } from '#apps/record_app_event'
import { earlier, later } from '#foundation/core/clock'
import { isReadingStores } from '#stores/backfill/read_past_versions'
import { isReadingTags } from '#version_control/backfill/read_tags'
import { DecideTrain } from '../actions/decide_train.js'
import { draftKind } from '../work_kinds.js'

/** Longest wait for past versions that are still read from tags or stores. */
const MAX_READING_TIME = 10 * MINUTE

/** Drafts trains ahead of their kickoff. */
export const draftTrains = onTime(draftKind, {
  actor: 'scheduleCadence',
  isAutomation: true,
  isDateDriven: true,
  lease: MINUTE,
  retry: RETRIES.hours,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { payload: { appId } }) {
    if (!(await scope.table('apps').where('id', appId).select('id').first())) return
    // New versions follow past ones, so tags and stores are read first.
    const since = earlier(scope.now, MAX_READING_TIME)
    const isReading =
      (await isReadingTags(scope, appId, since)) || (await isReadingStores(scope, appId, since))
    if (isReading) {
      const at = later(scope.now, MINUTE)
      await scope.jobs.plan(draftKind, { subject: appId, at, payload: { appId } })
      return
    }
    await new DecideTrain(scope).handle(appId)
  },
  async afterLast(scope, { payload: { appId } }, reason) {
    // A cadence is never given up: whatever prevents drafting today may be gone in a day.
    const at = later(scope.now, DAY)
    await scope.jobs.plan(draftKind, { subject: appId, at, payload: { appId } })
    recordAppEvent(scope, appId, {
      type: 'app.draftingFailed',
      title: 'The next release could not be drafted; the next attempt is in a day',
      data: { reason, nextAttemptAt: at },
    })
  },
})

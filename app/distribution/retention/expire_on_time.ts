import { RETRIES } from '#foundation/jobs/retry'
import { onTime } from '#foundation/jobs/handlers'
import { recordAudit } from '#organizations/audit'
import { MINUTE } from '#foundation/core/durations'
import Bucket from '../models/bucket.js'
import { dueBuilds } from './due_builds.js'
import { expireBuilds } from './expire_builds.js'
import { planRetention, retention } from './plan_retention.js'

/** Number of builds that expire per transaction: others get their turn in between. */
const BATCH = 100

/** Lets builds of a bucket expire when their time has come. */
export const expireOnTime = onTime(retention, {
  actor: 'retention',
  lease: 5 * MINUTE,
  retry: RETRIES.hours,
  // As every write to the app does first.
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { subject, payload: { appId } }) {
    const bucket = await scope.query(Bucket).where({ id: subject, appId }).first()
    if (!bucket) return
    const due = await dueBuilds(scope, bucket, BATCH)
    if (due.length > 0) {
      await expireBuilds(scope, due)
      await recordAudit(scope, {
        action: 'builds.expired',
        subject: bucket.id,
        data: { appId, builds: due.map(({ id }) => id) },
      })
    }
    await planRetention(scope, bucket)
  },
})

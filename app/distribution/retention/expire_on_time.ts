import { RETRIES } from '#foundation/jobs/retry'
import { onTime } from '#foundation/jobs/handlers'
import { recordAudit } from '#organizations/audit'
import { MINUTE } from '#foundation/core/durations'
import Bucket from '../models/bucket.js'
import { dueBuilds } from './due_builds.js'
import { expireBuilds } from './expire_builds.js'
import { planRetention, retention } from './plan_retention.js'

/** The number of builds that expire per transaction, so that other work can run in between. */
const BATCH = 100

/** Expires the due builds of a bucket. */
export const expireOnTime = onTime(retention, {
  actor: 'retention',
  lease: 5 * MINUTE,
  retry: RETRIES.hours,
  // Every write to an app locks it first.
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

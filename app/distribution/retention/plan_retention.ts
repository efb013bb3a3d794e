import { Type } from '@sinclair/typebox'
import { timerKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type Bucket from '../models/bucket.js'
import { nextExpiry } from './due_builds.js'

/** The timer for builds of a bucket to expire; the subject is the bucket. */
export const retention = timerKind('bucket.retention', Type.Object({ appId: Type.String() }))

/** Plans the next check of a bucket for builds that expire, or cancels it if none will. */
export async function planRetention(scope: Scope, bucket: Bucket): Promise<void> {
  const { id: subject, appId } = bucket
  const at = await nextExpiry(scope, bucket)
  if (at === null) await scope.jobs.cancel(retention, subject)
  else await scope.jobs.plan(retention, { subject, at, payload: { appId } })
}

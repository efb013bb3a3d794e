import { Type } from '@sinclair/typebox'
import { timerKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type Bucket from '../models/bucket.js'
import { nextExpiry } from './due_builds.js'

/** The timer that expires builds of a bucket; its subject is the bucket. */
export const retention = timerKind('bucket.retention', Type.Object({ appId: Type.String() }))

/** Schedules the next expiry of builds in a bucket, or cancels it if none will expire. */
export async function planRetention(scope: Scope, bucket: Bucket): Promise<void> {
  const { id: subject, appId } = bucket
  const at = await nextExpiry(scope, bucket)
  if (at === null) await scope.jobs.cancel(retention, subject)
  else await scope.jobs.plan(retention, { subject, at, payload: { appId } })
}

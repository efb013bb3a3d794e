import { Type } from '@sinclair/typebox'
import { timerKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type Bucket from '../models/bucket.js'
import { nextExpiry } from './due_builds.js'

/** Builds of a bucket may expire because their time has come; the subject is the bucket. */
export const retention = timerKind('bucket.retention', Type.Object({ appId: Type.String() }))

/** Plans when the bucket is to be looked at for builds that expire, or that it is not. */
export async function planRetention(scope: Scope, bucket: Bucket): Promise<void> {
  const { id: subject, appId } = bucket
  const at = await nextExpiry(scope, bucket)
  if (at === null) await scope.jobs.cancel(retention, subject)
  else await scope.jobs.plan(retention, { subject, at, payload: { appId } })
}

import { watchApp } from '#builds/work/watch_app'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { requireLevel } from '../bucket_levels.js'
import { checkBucketParts, readBucketParts } from '../bucket_parts.js'
import Bucket from '../models/bucket.js'
import { findBucket } from '../queries/find_bucket.js'
import { planRetention } from '../retention/plan_retention.js'
import type { UpdateBucketInput } from '../validators/bucket_input.js'
import { requireFree } from './create_bucket.js'

/** Changes a bucket. Members and rules in the input replace the existing ones. */
export class UpdateBucket {
  constructor(private readonly scope: Scope) {}

  /** Checks rules beyond the schema. @throws not_found, bucket_level_missing */
  async check(
    appId: string,
    bucketId: string,
    input: PartiallyValid<UpdateBucketInput>,
    errors: InputErrors
  ): Promise<void> {
    requireLevel(this.scope, await findBucket(this.scope, appId, bucketId), 'admin')
    await checkBucketParts(this.scope, input, errors)
  }

  /** @throws not_found, bucket_level_missing, invalid_input, bucket_exists */
  async handle(appId: string, bucketId: string, input: UpdateBucketInput): Promise<Bucket> {
    const { scope } = this
    const bucket = await findBucket(scope, appId, bucketId)
    requireLevel(scope, bucket, 'admin')
    const { members, rules, automations, ...fields } = input
    const parts = await readBucketParts(scope, { members, rules, automations }, bucket.rules)
    if (fields.name !== undefined && fields.name !== bucket.name) {
      const others = scope.query(Bucket).where('appId', appId).whereNot('id', bucketId)
      requireFree(await others, { name: fields.name })
    }
    const changes = Object.entries({ ...fields, ...parts }).filter(
      ([, value]) => value !== undefined
    )
    bucket.merge(Object.fromEntries(changes))
    if (!bucket.$isDirty) return bucket
    const changed = Object.keys(bucket.$dirty)
    bucket.updatedAt = scope.now
    await bucket.useTransaction(scope.transaction).save()
    if (changed.includes('retention')) await planRetention(scope, bucket)
    if (changed.includes('rules') || changed.includes('status')) await watchApp(scope, appId)
    await recordAudit(scope, {
      action: 'bucket.updated',
      subject: bucket.id,
      data: { appId, changed },
    })
    return bucket
  }
}

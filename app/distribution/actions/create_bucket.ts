import { watchApp } from '#builds/work/watch_app'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { readBucketParts } from '../bucket_parts.js'
import Bucket from '../models/bucket.js'
import type { CreateBucketInput } from '../validators/bucket_input.js'
import { MAX_BUCKETS, type BucketType } from '../vocabulary.js'

/** Creates a bucket of an app. */
export class CreateBucket {
  constructor(private readonly scope: Scope) {}

  /** @throws invalid_input, bucket_exists */
  async handle(appId: string, input: CreateBucketInput): Promise<Bucket> {
    const { scope } = this
    const { name, type = 'custom', members, rules, automations, ...flags } = input
    const parts = await readBucketParts(scope, { members, rules, automations }, [])
    const existing = await scope.query(Bucket).where('appId', appId).whereNot('type', 'personal')
    requireFree(existing, { name, type })
    if (existing.length >= MAX_BUCKETS) {
      throw refuse('bucket_exists', { detail: `An app has at most ${MAX_BUCKETS} buckets.` })
    }
    const bucket = await scope.create(Bucket, {
      id: newId('bucket'),
      appId,
      name,
      type,
      status: 'active',
      orgWideAccessEnabled: flags.orgWideAccessEnabled ?? false,
      notificationsEnabled: flags.notificationsEnabled ?? false,
      publicLinkEnabled: flags.publicLinkEnabled ?? false,
      position: Math.max(-1, ...existing.map((each) => each.position)) + 1,
      members: parts.members ?? [],
      rules: parts.rules ?? [],
      retention: parts.retention ?? null,
      buildCount: 0,
      createdAt: scope.now,
      updatedAt: scope.now,
    })
    if (bucket.rules.length > 0) await watchApp(scope, appId)
    await recordAudit(scope, {
      action: 'bucket.created',
      subject: bucket.id,
      data: { appId, name, type },
    })
    return bucket
  }
}

/** @throws bucket_exists if the name is taken, or the app has an `rc` or `dev` bucket already */
export function requireFree(
  existing: readonly Bucket[],
  wanted: { name: string; type?: BucketType }
): void {
  if (existing.some(({ name }) => name === wanted.name)) {
    throw refuse('bucket_exists', { detail: `The app already has a bucket ${wanted.name}.` })
  }
  const { type } = wanted
  if (type === undefined || type === 'custom') return
  const same = existing.find((each) => each.type === type)
  if (same) {
    throw refuse('bucket_exists', {
      detail: `The app already has its ${type} bucket: ${same.name}.`,
    })
  }
}

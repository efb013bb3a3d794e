import Bucket from './models/bucket.js'
import type { BucketMemberRow, BucketRuleRow } from './tables.js'
import { planRetention, retention } from './retention/plan_retention.js'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { BucketConfiguration, BucketMember, BucketRule } from './settings.js'

/**
 * Stores the buckets of an app as its configuration describes them. Buckets are matched by name, an
 * `rc` or `dev` bucket also by type, so that it keeps its builds under a new name.
 */
export async function storeBuckets(
  scope: Scope,
  appId: string,
  wanted: readonly BucketConfiguration[]
): Promise<void> {
  const existing = await scope
    .query(Bucket)
    .where('appId', appId)
    .whereNot('type', 'personal')
    .exec()
  const matched = matchBuckets(existing, wanted)
  const kept = new Set(matched.values())
  for (const bucket of existing) {
    if (kept.has(bucket) || bucket.status === 'archived') continue
    await remove(scope, bucket)
    await yieldToOthers()
  }
  const memberIds = await idsOfMembers(scope, wanted)
  for (const [position, configuration] of wanted.entries()) {
    await yieldToOthers()
    const { name, type, orgWideAccessEnabled, notificationsEnabled } = configuration
    const bucket = matched.get(configuration)
    const values = {
      name,
      type,
      orgWideAccessEnabled,
      notificationsEnabled,
      position,
      status: 'active' as const,
      members: memberRows(configuration.members, memberIds),
      rules: ruleRows(configuration.rules, bucket?.rules ?? []),
      retention: configuration.retention,
    }
    if (!bucket) {
      const times = { createdAt: scope.now, updatedAt: scope.now }
      await scope.create(Bucket, {
        id: newId('bucket'),
        appId,
        publicLinkEnabled: false,
        buildCount: 0,
        ...values,
        ...times,
      })
      continue
    }
    bucket.merge(values)
    if (!bucket.$isDirty) continue
    const hasOtherRetention = 'retention' in bucket.$dirty
    bucket.updatedAt = scope.now
    await bucket.useTransaction(scope.transaction).save()
    if (hasOtherRetention) await planRetention(scope, bucket)
  }
}

/** Removes a bucket, or archives it if it has builds: a configuration file removes no builds. */
async function remove(scope: Scope, bucket: Bucket): Promise<void> {
  bucket.useTransaction(scope.transaction)
  if (!(await scope.table('distribution_builds').where('bucket_id', bucket.id).first())) {
    await scope.jobs.cancel(retention, bucket.id)
    await bucket.delete()
    return
  }
  await bucket.merge({ status: 'archived', updatedAt: scope.now }).save()
}

/** Matches the buckets of an app with those of its configuration; new ones have no match. */
export function matchBuckets<Known extends Pick<Bucket, 'name' | 'type'>>(
  existing: readonly Known[],
  wanted: readonly BucketConfiguration[]
): Map<BucketConfiguration, Known> {
  const matched = new Map<BucketConfiguration, Known>()
  for (const configuration of wanted) {
    const named = existing.find((bucket) => bucket.name === configuration.name)
    if (named) matched.set(configuration, named)
  }
  const taken = new Set(matched.values())
  for (const configuration of wanted) {
    if (matched.has(configuration) || configuration.type === 'custom') continue
    const same = existing.find((each) => each.type === configuration.type && !taken.has(each))
    if (same) matched.set(configuration, same)
  }
  return matched
}

type MemberIds = Record<BucketMember['type'], Map<string, string>>

async function idsOfMembers(
  scope: Scope,
  buckets: readonly BucketConfiguration[]
): Promise<MemberIds> {
  const members = buckets.flatMap((bucket) => bucket.members)
  const names = (type: BucketMember['type']) =>
    members.filter((member) => member.type === type).map((member) => member.name)
  const groups = await scope.table('groups').whereIn('name', names('group')).select('id', 'name')
  const users = await scope.table('users').whereIn('email', names('user')).select('id', 'email')
  return {
    group: new Map(groups.map((row) => [row.name, row.id])),
    user: new Map(users.map((row) => [row.email, row.id])),
  }
}

function memberRows(members: readonly BucketMember[], ids: MemberIds): BucketMemberRow[] {
  return members.flatMap(({ type, name, permissionLevel }) => {
    const id = ids[type].get(name)
    return id === undefined ? [] : [{ type, id, permissionLevel }]
  })
}

/** Returns rules as rows; an unchanged rule keeps its id. */
export function ruleRows(
  rules: readonly BucketRule[],
  before: readonly BucketRuleRow[]
): BucketRuleRow[] {
  const spare = Map.groupBy(before, (row) => JSON.stringify(contentOf(row)))
  return rules.map((rule) => {
    const same = spare.get(JSON.stringify(contentOf(rule)))?.shift()
    return { id: same?.id ?? newId('rule'), ...contentOf(rule) }
  })
}

function contentOf({ type, branch, baseBranch, workflow, fileFilterPatterns }: BucketRule) {
  return { type, branch, baseBranch, workflow, fileFilterPatterns }
}

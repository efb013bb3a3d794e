import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { BucketMemberRow } from './tables.js'
import type { PermissionLevel } from './vocabulary.js'

/** The levels from the lowest to the highest. */
const ASCENDING: readonly PermissionLevel[] = ['tester', 'uploader', 'admin']

interface Guarded {
  orgWideAccessEnabled: boolean
  members: readonly BucketMemberRow[]
}

/**
 * Returns the requester's level in a bucket; null if it may not even see it.
 *
 * The user action ManageBuckets makes an admin of every bucket. Otherwise the highest level counts
 * that the bucket gives to one of the requester's groups. If it names none of them, requesters with
 * UploadBuilds may upload to a bucket without members, and everybody sees buckets that are open to
 * the organization. A key without groups reads everything
 * (docs/decisions/0016-builds-and-buckets.md).
 */
export function levelIn(scope: Scope, bucket: Guarded): PermissionLevel | null {
  if (scope.can('ManageBuckets')) return 'admin'
  const { groupIds } = scope.permissions
  const own = bucket.members
    .filter(({ type, id }) => type === 'group' && groupIds.includes(id))
    .map(({ permissionLevel }) => ASCENDING.indexOf(permissionLevel))
  if (own.length > 0) return ASCENDING[Math.max(...own)]
  if (bucket.members.length === 0 && scope.can('UploadBuilds')) return 'uploader'
  return bucket.orgWideAccessEnabled || groupIds.length === 0 ? 'tester' : null
}

/** What gives a level, too, in a bucket that names none of the requester's groups. */
const ALSO: Readonly<Record<PermissionLevel, string>> = {
  tester: '',
  uploader: ' In a bucket without members, the user action UploadBuilds is enough.',
  admin: ' The user action ManageBuckets is also enough.',
}

/** @throws bucket_level_missing unless the requester has the level, or a higher one */
export function requireLevel(scope: Scope, bucket: Guarded, needed: PermissionLevel): void {
  const level = levelIn(scope, bucket)
  if (level !== null && ASCENDING.indexOf(level) >= ASCENDING.indexOf(needed)) return
  throw refuse('bucket_level_missing', {
    detail: `This needs the level ${needed} in the bucket; the key has ${level ?? 'none'}.${ALSO[needed]}`,
    members: { neededLevel: needed },
  })
}

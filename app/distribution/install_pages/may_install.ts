import type { Scope } from '#foundation/core/scope'
import { isActivePerson } from '#organizations/queries/people'
import type Bucket from '../models/bucket.js'

/**
 * Returns whether a person may install from a bucket: everybody in the organization if the bucket is
 * open to it, otherwise its members and the members of its groups; never a deactivated person. An
 * anonymous visitor (null) may if the bucket has public links.
 */
export async function mayInstall(
  scope: Scope,
  bucket: Bucket,
  userId: string | null
): Promise<boolean> {
  if (userId === null) return bucket.publicLinkEnabled
  if (!(await isActivePerson(scope, userId))) return false
  if (bucket.orgWideAccessEnabled) return true
  if (bucket.members.some(({ type, id }) => type === 'user' && id === userId)) return true
  const groupIds = bucket.members.flatMap(({ type, id }) => (type === 'group' ? id : []))
  if (groupIds.length === 0) return false
  const membership = await scope
    .table('group_members')
    .where('user_id', userId)
    .whereIn('group_id', groupIds)
    .select('group_id')
    .first()
  return Boolean(membership)
}

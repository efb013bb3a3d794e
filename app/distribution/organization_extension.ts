import { of, select } from '#foundation/core/database/statement'
import { withoutGroup, type OrganizationExtension } from '#organizations/extensions'
import { buckets } from './tables.js'

const WITH_MEMBER = select(
  of(buckets, 'b', ['id', 'members']),
  'from buckets b where b.organization_id = :org and b.members like :naming'
)

/** Extends organizations by buckets. */
export const organizationExtension: OrganizationExtension = {
  async removeGroup(scope, groupId) {
    for (const { id, members } of await scope.rows(WITH_MEMBER, { naming: `%${groupId}%` })) {
      const remaining = withoutGroup(members, groupId)
      await scope.update(buckets, { id }, { members: remaining, updatedAt: scope.now })
    }
  },
}

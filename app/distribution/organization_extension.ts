import { of, select } from '#foundation/core/database/statement'
import { withoutGroup, type OrganizationExtension } from '#organizations/extensions'
import { buckets } from './tables.js'

const NAMING = select(
  of(buckets, 'b', ['id', 'members']),
  'from buckets b where b.organization_id = :org and b.members like :naming'
)

/** Extends organizations by buckets. */
export const organizationExtension: OrganizationExtension = {
  async removeGroup(scope, groupId) {
    for (const { id, members } of await scope.rows(NAMING, { naming: `%${groupId}%` })) {
      const left = withoutGroup(members, groupId)
      await scope.update(buckets, { id }, { members: left, updatedAt: scope.now })
    }
  },
}

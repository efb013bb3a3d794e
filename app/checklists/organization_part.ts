import { of, select } from '#foundation/core/database/statement'
import { withoutGroup, type OrganizationPart } from '#organizations/parts'
import { checklistItems, releaseItems } from './tables.js'

const OWNED_DEFINITIONS = select(
  of(checklistItems, 'c', ['id', 'owners']),
  'from checklist_items c where c.organization_id = :org and c.owners like :naming'
)

/** A completed release keeps what it said. */
const OWNED_COPIES = select(
  of(releaseItems, 'i', ['releaseId', 'itemId', 'owners']),
  `from release_items i join releases r on r.id = i.release_id
  where i.organization_id = :org and r.status <> 'completed' and i.owners like :naming`
)

/** What items take part in of an organization. */
export const organizationPart: OrganizationPart = {
  async removeGroup(scope, groupId) {
    const bindings = { naming: `%${groupId}%` }
    for (const { id, owners } of await scope.rows(OWNED_DEFINITIONS, bindings)) {
      const left = withoutGroup(owners, groupId)
      await scope.update(checklistItems, { id }, { owners: left, updatedAt: scope.now })
    }
    for (const { releaseId, itemId, owners } of await scope.rows(OWNED_COPIES, bindings)) {
      const left = withoutGroup(owners, groupId)
      await scope.update(releaseItems, { releaseId, itemId }, { owners: left })
    }
  },
}

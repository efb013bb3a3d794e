import { of, select } from '#foundation/core/database/statement'
import { withoutGroup, type OrganizationExtension } from '#organizations/extensions'
import { releaseById } from '#releases/queries/find_release'
import { releases } from '#releases/tables'
import { reportTemplates, reportedItem } from './item_entries.js'
import { reportItemChanges } from '../release_items/report_item_changes.js'
import { checklistItems, releaseItems } from '../tables.js'

const OWNED_DEFINITIONS = select(
  of(checklistItems, 'c', ['id', 'owners', 'appId', 'kind', 'title', 'releaseId']),
  'from checklist_items c where c.organization_id = :org and c.owners like :naming'
)

/** Copies in completed releases are left out, because these never change. */
const OWNED_COPIES = select(
  {
    ...of(releaseItems, 'i', ['releaseId', 'itemId', 'owners', 'kind', 'title', 'stepId']),
    ...of(releases, 'r', ['appId']),
  },
  `from release_items i join releases r on r.id = i.release_id
  where i.organization_id = :org and r.status <> 'completed' and i.owners like :naming`
)

/** The extension of organizations by items. */
export const organizationExtension: OrganizationExtension = {
  async removeGroup(scope, groupId) {
    const bindings = { naming: `%${groupId}%` }
    for (const item of await scope.rows(OWNED_DEFINITIONS, bindings)) {
      const { id, owners, appId, releaseId } = item
      const remaining = withoutGroup(owners, groupId)
      await scope.update(checklistItems, { id }, { owners: remaining, updatedAt: scope.now })
      const changes = { owners: { from: owners, to: remaining } }
      const reported = { ...reportedItem(item), changes }
      if (releaseId === null) reportTemplates(scope, appId, 'updated', [reported])
    }
    for (const { releaseId, itemId, appId, stepId, ...item } of await scope.rows(
      OWNED_COPIES,
      bindings
    )) {
      const remaining = withoutGroup(item.owners, groupId)
      await scope.update(releaseItems, { releaseId, itemId }, { owners: remaining })
      const changes = { owners: { from: item.owners, to: remaining } }
      const updated = [{ ...reportedItem({ ...item, id: itemId }), stepId, changes }]
      const release = await releaseById(scope, appId, releaseId)
      await reportItemChanges(scope, release, { added: [], updated, removed: [] })
    }
  },
}

import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { organizationExtensions } from '../extensions.js'
import { findGroup } from '../queries/group_entities.js'
import { requireCustom } from '../require_group.js'

/**
 * Deletes a custom group. Its memberships and key scopes are deleted with the row, and modules
 * remove it from their lists. A completed release keeps the group's data.
 */
export class DeleteGroup {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, default_group */
  async handle(id: string): Promise<void> {
    const { scope } = this
    const group = await findGroup(scope, id)
    requireCustom(group)
    for (const extension of organizationExtensions.all) await extension.removeGroup?.(scope, id)
    await group.delete()
    await recordAudit(scope, {
      action: 'group.deleted',
      subject: id,
      data: { name: group.name },
    })
  }
}

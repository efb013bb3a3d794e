import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { requireOtherAdmin } from '../grants.js'
import { leaveGroups } from '../memberships.js'
import type User from '../models/user.js'
import { organizationExtensions } from '../extensions.js'
import { groupIdsOf } from '../queries/user_entities.js'
import { revokeKeysOf } from './revoke_key.js'

/**
 * Takes all rights from a person, who remains the author of past actions. The groups that they leave
 * are stored in the audit entry, where `ActivateUser` finds them.
 */
export class DeactivateUser {
  constructor(private readonly scope: Scope) {}

  /** Does nothing for a person who is already deactivated. @throws last_admin */
  async handle(user: User): Promise<void> {
    const { scope } = this
    if (user.deactivatedAt !== null) return
    await requireOtherAdmin(scope, user.id)
    const groupIds = await groupIdsOf(scope, user)
    await leaveGroups(scope, user.id, groupIds)
    user.deactivatedAt = scope.now
    await user.save()
    await revokeKeysOf(scope, user.id)
    if (user.accountId !== null) {
      for (const extension of organizationExtensions.all)
        await extension.leave?.(scope, user.accountId)
    }
    await recordAudit(scope, {
      action: 'user.deactivated',
      subject: user.id,
      data: { email: user.email, groupIds },
    })
  }
}

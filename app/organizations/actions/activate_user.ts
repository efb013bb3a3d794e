import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { addMemberships } from '../memberships.js'
import Group from '../models/group.js'
import type User from '../models/user.js'

/** Reactivates a person, and restores their membership of groups. */
export class ActivateUser {
  constructor(private readonly scope: Scope) {}

  async handle(user: User): Promise<void> {
    const { scope } = this
    if (user.deactivatedAt === null) return
    const groupIds = await this.#groupIdsBefore(user)
    await addMemberships(
      scope,
      groupIds.map((groupId) => ({ groupId, userId: user.id }))
    )
    user.deactivatedAt = null
    await user.save()
    await recordAudit(scope, {
      action: 'user.activated',
      subject: user.id,
      data: { email: user.email, groupIds },
    })
  }

  /** Returns the groups that the deactivation removed the person from, if they still exist. */
  async #groupIdsBefore(user: User): Promise<string[]> {
    const { scope } = this
    const entry: { data: string } | null = await scope
      .table('audit_entries')
      .where({ subject: user.id, action: 'user.deactivated' })
      .orderBy('created_at', 'desc')
      .select('data')
      .first()
    const { groupIds = [] } = JSON.parse(entry?.data ?? '{}') as { groupIds?: string[] }
    const groups = await scope.query(Group).whereIn('id', groupIds)
    return groups.map(({ id }) => id)
  }
}

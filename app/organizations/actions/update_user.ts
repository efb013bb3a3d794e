import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { requireAdmin, requireHeld, requireOtherAdmin } from '../grants.js'
import Group from '../models/group.js'
import type User from '../models/user.js'
import { addMemberships, leaveGroups } from '../memberships.js'
import { requireActive, groupIdsOf } from '../queries/user_entities.js'

export interface UpdateUserInput {
  /** Null leaves the person without a name. */
  name?: string | null
  admin?: boolean
  /** All groups that the person is to be in; an alternative to the two following lists. */
  groupIds?: readonly string[]
  addGroupIds?: readonly string[]
  removeGroupIds?: readonly string[]
}

/** Changes a person's name, groups, and whether they are an admin. */
export class UpdateUser {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the ids of the groups that the person is in afterwards
   * @throws conflict for a deactivated person; admin_required, action_missing, last_admin
   */
  async handle(user: User, input: UpdateUserInput): Promise<string[]> {
    const { scope } = this
    requireActive(user)
    const current = await groupIdsOf(scope, user)
    const { groupIds, addGroupIds = groupIds ?? [], removeGroupIds = [] } = input
    const added = addGroupIds.filter((id) => !current.includes(id))
    const removed = current.filter((id) =>
      groupIds ? !groupIds.includes(id) : removeGroupIds.includes(id)
    )
    await this.#requireMayGrant(user, input, added, removed)

    if (input.name !== undefined) user.name = input.name
    if (input.admin !== undefined) user.admin = input.admin
    const isChanged = user.$isDirty
    await user.save()
    await addMemberships(
      scope,
      added.map((groupId) => ({ groupId, userId: user.id }))
    )
    await leaveGroups(scope, user.id, removed)
    if (isChanged || added.length + removed.length > 0) {
      await recordAudit(scope, {
        action: 'user.updated',
        subject: user.id,
        data: { name: user.name, admin: user.admin, added, removed },
      })
    }
    return [...current, ...added].filter((id) => !removed.includes(id))
  }

  /** Only admins change who is an admin, and who is in a default group. */
  async #requireMayGrant(
    user: User,
    { admin }: UpdateUserInput,
    added: readonly string[],
    removed: readonly string[]
  ): Promise<void> {
    const { scope } = this
    if (admin !== undefined && admin !== user.admin) {
      requireAdmin(scope, 'decides who is one')
      if (!admin) await requireOtherAdmin(scope, user.id)
    }
    const changed = await scope.query(Group).whereIn('id', [...added, ...removed])
    if (changed.some(({ isDefault }) => isDefault)) {
      requireAdmin(scope, 'changes who is in a default group')
    }
    requireHeld(
      scope,
      changed.filter(({ id }) => added.includes(id)).flatMap(({ userActions }) => userActions)
    )
  }
}

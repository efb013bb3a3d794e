import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import User from '../models/user.js'
import { addMemberships, leaveGroups } from '../memberships.js'

interface UpdateUserInput {
  /** In lower case. */
  email: string
  name?: string
  addGroupIds?: readonly string[]
  removeGroupIds?: readonly string[]
}

/** Changes a user's name and groups, including default groups. Only an admin does this. */
export class UpdateUser {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found */
  async handle(input: UpdateUserInput): Promise<{ user: User; groupIds: string[] }> {
    const { scope } = this
    const user = await scope.query(User).where('email', input.email).first()
    if (!user) {
      throw refuse('not_found', { detail: `There is no user with the address ${input.email}.` })
    }
    if (input.name !== undefined) user.name = input.name
    const isRenamed = user.$isDirty
    await user.save()

    const rows: { group_id: string }[] = await scope
      .table('group_members')
      .where('user_id', user.id)
      .select('group_id')
    const current = rows.map((row) => row.group_id)
    const added = (input.addGroupIds ?? []).filter((id) => !current.includes(id))
    const removed = (input.removeGroupIds ?? []).filter((id) => current.includes(id))
    await addMemberships(
      scope,
      added.map((groupId) => ({ groupId, userId: user.id }))
    )
    await leaveGroups(scope, user.id, removed)
    if (isRenamed || added.length + removed.length > 0) {
      await recordAudit(scope, {
        action: 'user.updated',
        subject: user.id,
        data: { name: user.name, added, removed },
      })
    }
    const groupIds = [...current, ...added].filter((id) => !removed.includes(id))
    return { user, groupIds }
  }
}

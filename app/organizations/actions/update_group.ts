import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import type Group from '../models/group.js'
import { requireCustom, requireFreeName } from '../require_group.js'
import { requireHeld } from '../grants.js'
import { replaceMembers } from '../memberships.js'
import { findGroup } from '../queries/group_entities.js'
import { inOrder, type UserAction } from '../vocabulary.js'

export interface UpdateGroupInput {
  name?: string
  userActions?: readonly UserAction[]
  /** Null empties the group. */
  userEmails?: readonly string[] | null
}

/** Changes a custom group. Absent members stay as they are, and lists are replaced whole. */
export class UpdateGroup {
  constructor(private readonly scope: Scope) {}

  /**
   * @throws not_found, default_group, name_taken; action_missing if the requester would grant more
   * than they hold; invalid_input for an unknown address
   */
  async handle(id: string, input: UpdateGroupInput): Promise<Group> {
    const { scope } = this
    const group = await findGroup(scope, id)
    requireCustom(group)
    if (input.name !== undefined) {
      await requireFreeName(scope, input.name, group.id)
      group.merge({ name: input.name, nameKey: input.name.toLowerCase() })
    }
    if (input.userActions) {
      const { userActions: held } = group
      requireHeld(
        scope,
        input.userActions.filter((action) => !held.includes(action))
      )
      group.userActions = inOrder(input.userActions)
    }
    const isChanged = group.$isDirty
    const hasNewMembers =
      input.userEmails !== undefined && (await replaceMembers(scope, group, input.userEmails ?? []))
    if (!isChanged && !hasNewMembers) return group

    group.updatedAt = scope.now
    await group.save()
    await recordAudit(scope, {
      action: 'group.updated',
      subject: group.id,
      data: { name: group.name, userActions: group.userActions, hasNewMembers },
    })
    return group
  }
}

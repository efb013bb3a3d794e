import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { requireFreeName } from '../require_group.js'
import { requireHeld } from '../grants.js'
import { replaceMembers } from '../memberships.js'
import Group from '../models/group.js'
import { inOrder, type UserAction } from '../vocabulary.js'

export interface CreateGroupInput {
  name: string
  userActions: readonly UserAction[]
  userEmails?: readonly string[] | null
}

/** Creates a custom group. */
export class CreateGroup {
  constructor(private readonly scope: Scope) {}

  /** @throws action_missing, name_taken; invalid_input when an address belongs to no user */
  async handle(input: CreateGroupInput): Promise<Group> {
    const { scope } = this
    requireHeld(scope, input.userActions)
    await requireFreeName(scope, input.name)
    const group = await scope.create(Group, {
      id: newId('grp'),
      name: input.name,
      nameKey: input.name.toLowerCase(),
      isDefault: false,
      userActions: inOrder(input.userActions),
      createdAt: scope.now,
      updatedAt: scope.now,
    })
    await replaceMembers(scope, group, input.userEmails ?? [])
    await recordAudit(scope, {
      action: 'group.created',
      subject: group.id,
      data: { name: group.name, userActions: group.userActions },
    })
    return group
  }
}

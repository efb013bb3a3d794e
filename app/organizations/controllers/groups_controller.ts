import { created, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { AssignGroups, checkAssignments, type AssignmentInput } from '../actions/assign_groups.js'
import { CreateGroup, type CreateGroupInput } from '../actions/create_group.js'
import { DeleteGroup } from '../actions/delete_group.js'
import { UpdateGroup, type UpdateGroupInput } from '../actions/update_group.js'
import { checkMembers } from '../memberships.js'
import { findGroup, listGroups, groupEntity } from '../queries/group_entities.js'

export class GroupsController {
  async index({ scope }: Call) {
    return ok(await listGroups(scope))
  }

  async show({ scope, params }: Call) {
    return ok(await groupEntity(scope, await findGroup(scope, params.groupId)))
  }

  async store({ scope, body }: Call<CreateGroupInput>) {
    const group = await new CreateGroup(scope).handle(body)
    const location = `/org/${scope.organization.id}/group/${group.id}`
    return created(await groupEntity(scope, group), location)
  }

  /** Checks the members of a new or changed group. */
  checkMembers({ scope, body }: Call<PartiallyValid<UpdateGroupInput>>, errors: InputErrors) {
    return checkMembers(scope, body.userEmails ?? [], errors)
  }

  async update({ scope, params, body }: Call<UpdateGroupInput>) {
    const group = await new UpdateGroup(scope).handle(params.groupId, body)
    return ok(await groupEntity(scope, group))
  }

  async destroy({ scope, params }: Call) {
    await new DeleteGroup(scope).handle(params.groupId)
    return noContent()
  }

  async assign({ scope, body }: Call<AssignmentInput>) {
    const errors = new InputErrors()
    checkAssignments(body, errors)
    errors.throwIfAny()
    const { users, email, groupIds } = body
    const assignments = users ?? [{ email: email!, groupIds: groupIds! }]
    return ok(await new AssignGroups(scope).handle(assignments))
  }

  async checkAssign({ body }: Call<PartiallyValid<AssignmentInput>>, errors: InputErrors) {
    checkAssignments(body, errors)
  }
}

import { created, noContent, ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { refuseField } from '#foundation/core/problems/problem'
import { AssignGroups, type GroupAssignment } from '../actions/assign_groups.js'
import { CreateGroup, type CreateGroupInput } from '../actions/create_group.js'
import { DeleteGroup } from '../actions/delete_group.js'
import { UpdateGroup, type UpdateGroupInput } from '../actions/update_group.js'
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

  async update({ scope, params, body }: Call<UpdateGroupInput>) {
    const group = await new UpdateGroup(scope).handle(params.groupId, body)
    return ok(await groupEntity(scope, group))
  }

  async destroy({ scope, params }: Call) {
    await new DeleteGroup(scope).handle(params.groupId)
    return noContent()
  }

  async assign({
    scope,
    body: { users, email, groupIds },
  }: Call<{ users?: GroupAssignment[] } & Partial<GroupAssignment>>) {
    if (users && (email !== undefined || groupIds)) {
      throw refuseField('/users', 'ambiguous', 'Give users, or one email with groupIds, not both.')
    }
    if (users) return ok(await new AssignGroups(scope).handle(users))
    if (email === undefined) throw refuseField('/users', 'required', 'Give users, or one email.')
    if (!groupIds) throw refuseField('/groupIds', 'required', 'The groupIds field is missing.')
    return ok(await new AssignGroups(scope).handle([{ email, groupIds }]))
  }
}

import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { GroupEntity } from '../entities.js'
import Group from '../models/group.js'

interface MemberRow {
  group_id: string
  id: string
  email: string
  name: string | null
}

/** @throws not_found */
export async function findGroup(scope: Scope, id: string): Promise<Group> {
  const group = await scope.query(Group).where('id', id).first()
  if (!group) throw refuse('not_found')
  return group
}

/** Returns all groups, default groups first, each part ordered by name. */
export async function listGroups(scope: Scope): Promise<GroupEntity[]> {
  const groups = await scope.query(Group).orderBy([
    { column: 'isDefault', order: 'desc' },
    { column: 'nameKey', order: 'asc' },
  ])
  const members = await membersQuery(scope)
  return groups.map((group) => entityOf(group, members))
}

export async function groupEntity(scope: Scope, group: Group): Promise<GroupEntity> {
  return entityOf(group, await membersQuery(scope).where('group_members.group_id', group.id))
}

function membersQuery(scope: Scope) {
  return scope
    .table('group_members')
    .join('users', 'users.id', 'group_members.user_id')
    .orderBy('users.email')
    .select('group_members.group_id', 'users.id', 'users.email', 'users.name')
}

function entityOf(group: Group, members: readonly MemberRow[]): GroupEntity {
  return {
    id: group.id,
    name: group.name,
    isDefault: group.isDefault,
    userActions: group.userActions,
    members: members.flatMap(({ group_id: of, id, email, name }) =>
      of === group.id ? [{ id, email, name }] : []
    ),
    createdAt: group.createdAt,
    updatedAt: group.updatedAt,
  }
}

import type { PageRequest } from '#foundation/api/pages'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { UserEntity } from '../entities.js'
import User from '../models/user.js'
import type { UserStatus } from '../vocabulary.js'

export interface UserFilters {
  status?: UserStatus
}

/** Finds a person to change them. @throws not_found */
export async function findUser(scope: Scope, id: string): Promise<User> {
  const user = await scope.query(User).where('id', id).first()
  if (!user) throw refuse('not_found')
  return user
}

/** Finds a person by an address in lower case. @throws not_found */
export async function findUserByEmail(scope: Scope, email: string): Promise<User> {
  const user = await scope.query(User).where('email', email).first()
  if (!user) throw refuse('not_found', { detail: `There is no user with the address ${email}.` })
  return user
}

/** Returns the people of the organization, ordered by address. */
export async function listUsers(
  scope: Scope,
  { status }: UserFilters,
  { limit, after }: PageRequest
): Promise<User[]> {
  const query = scope.query(User).orderBy('email').limit(limit)
  if (status === 'deactivated') query.whereNotNull('deactivatedAt')
  else if (status) query.where('status', status).whereNull('deactivatedAt')
  if (after) query.where('email', '>', after[0])
  return query
}

/** Returns people as the API shows them, with their groups. */
export async function userEntities(scope: Scope, users: readonly User[]): Promise<UserEntity[]> {
  const rows: { user_id: string; id: string; name: string }[] = await scope
    .table('group_members')
    .join('groups', 'groups.id', 'group_members.group_id')
    .whereIn(
      'group_members.user_id',
      users.map(({ id }) => id)
    )
    .orderBy('groups.name_key')
    .select('group_members.user_id', 'groups.id', 'groups.name')
  const groupsOf = Map.groupBy(rows, (row) => row.user_id)
  return users.map((user) => ({
    id: user.id,
    email: user.email,
    name: user.name,
    status: user.deactivatedAt === null ? user.status : 'deactivated',
    admin: user.admin,
    groups: (groupsOf.get(user.id) ?? []).map(({ id, name }) => ({ id, name })),
    createdAt: user.createdAt,
    deactivatedAt: user.deactivatedAt,
  }))
}

export async function userEntity(scope: Scope, user: User): Promise<UserEntity> {
  const [entity] = await userEntities(scope, [user])
  return entity
}

/** Returns the ids of the groups that a person is in. */
export async function groupIdsOf(scope: Scope, { id }: User): Promise<string[]> {
  const rows: { group_id: string }[] = await scope
    .table('group_members')
    .where('user_id', id)
    .select('group_id')
  return rows.map((row) => row.group_id)
}

/** @throws conflict for a deactivated person */
export function requireActive({ deactivatedAt, email }: User): void {
  if (deactivatedAt === null) return
  throw refuse('conflict', {
    detail: `${email} is deactivated since ${deactivatedAt}.`,
    currentStatus: 'deactivated',
    allowedActions: ['activateUser'],
  })
}

import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { recordAudit } from '../audit.js'
import type {
  UserGroup,
  UserGroupsForUserPutResponse,
  UserGroupsForUsersPutResponse,
} from '../entities.js'
import Group from '../models/group.js'
import User from '../models/user.js'
import { GRANTS_MORE, notHeld } from '../grants.js'
import { addMemberships, leaveGroups } from '../memberships.js'

interface GroupAssignment {
  email: string
  groupIds: readonly string[]
}

/** The body of the request: several users, or one. */
export interface AssignmentInput extends Partial<GroupAssignment> {
  users?: readonly GroupAssignment[]
}

/** Checks that the body names its users in one of the two ways. */
export function checkAssignments(
  input: PartiallyValid<AssignmentInput>,
  errors: InputErrors
): void {
  const isPresent = (name: keyof AssignmentInput) =>
    input[name] !== undefined || !errors.isWellFormed(`/${name}`)
  const report = (name: string, code: string, message: string) =>
    errors.add({ pointer: `/${name}`, code, message })
  const [users, email, groupIds] = [isPresent('users'), isPresent('email'), isPresent('groupIds')]
  if (users && (email || groupIds)) {
    report('users', 'ambiguous', 'Give users, or one email with groupIds, not both.')
  }
  if (users) return
  if (!email && !groupIds) report('users', 'required', 'Give users, or one email.')
  else if (!email) report('email', 'required', 'The email field is missing.')
  else if (!groupIds) report('groupIds', 'required', 'The groupIds field is missing.')
}

const summaryOf = ({ id, name }: Group): UserGroup => ({ id, name })

/** Replaces the custom groups of users. An error for one user does not affect the others. */
export class AssignGroups {
  #groups = new Map<string, Group>()
  #users = new Map<string, User>()
  /** Ids of the custom groups of each user. */
  #groupIdsByUser = new Map<string, Set<string>>()

  constructor(private readonly scope: Scope) {}

  /** @throws all_items_failed with all errors if every user has one */
  async handle(assignments: readonly GroupAssignment[]): Promise<UserGroupsForUsersPutResponse> {
    await this.#load(assignments)
    const seen = new Set<string>()
    const users: UserGroupsForUserPutResponse[] = []
    for (const { email, groupIds } of assignments) {
      const key = email.trim().toLowerCase()
      const error = seen.has(key)
        ? { code: 'duplicate', error: 'The address is listed twice.' }
        : this.#problemOf(key, groupIds)
      seen.add(key)
      users.push(error ? this.#refused(email, error) : await this.#assign(key, groupIds))
      await yieldToOthers()
    }

    const failed = users.filter(({ error }) => error !== undefined).length
    const updated = users.filter(({ added, removed }) => added.length + removed.length > 0).length
    const unchanged = users.length - failed - updated
    const summary = { total: users.length, updated, unchanged, failed }
    if (failed === users.length) {
      const errors = users.map(({ groups: _g, added: _a, removed: _r, ...each }) => each)
      throw refuse('all_items_failed', { members: { users: errors, summary } })
    }
    return { users, summary }
  }

  async #load(assignments: readonly GroupAssignment[]) {
    const { scope } = this
    for (const group of await scope.query(Group).orderBy('nameKey')) {
      this.#groups.set(group.id, group)
    }
    const emails = assignments.map(({ email }) => email.trim().toLowerCase())
    for (const user of await scope.query(User).whereIn('email', emails)) {
      this.#users.set(user.email, user)
      this.#groupIdsByUser.set(user.id, new Set())
    }
    const rows: { user_id: string; group_id: string }[] = await scope
      .table('group_members')
      .whereIn('user_id', [...this.#groupIdsByUser.keys()])
      .select('user_id', 'group_id')
    for (const row of rows) {
      if (!this.#groups.get(row.group_id)?.isDefault) {
        this.#groupIdsByUser.get(row.user_id)?.add(row.group_id)
      }
    }
  }

  #problemOf(email: string, groupIds: readonly string[]) {
    const user = this.#users.get(email)
    if (!user) {
      return { code: 'unknown_user', error: 'No user of the organization has this address.' }
    }
    if (user.deactivatedAt !== null && groupIds.length > 0) {
      return { code: 'deactivated_user', error: 'The user is deactivated.' }
    }
    const unknown = groupIds.find((id) => !this.#groups.has(id))
    if (unknown !== undefined) {
      return { code: 'unknown_group', error: `There is no group ${unknown}.` }
    }
    const isDefault = groupIds.find((id) => this.#groups.get(id)!.isDefault)
    if (isDefault !== undefined) {
      const { name } = this.#groups.get(isDefault)!
      return { code: 'default_group', error: `${name} is a default group, not a custom one.` }
    }
    const missing = notHeld(this.scope, this.#actionsGained(user, groupIds))
    if (missing.length === 0) return null
    return { code: 'action_missing', error: `${GRANTS_MORE} ${missing.join(' and ')}.` }
  }

  /** Returns the user actions of the groups that the user would join. */
  #actionsGained({ id: userId }: User, groupIds: readonly string[]) {
    const current = this.#groupIdsByUser.get(userId)!
    const joined = groupIds.filter((id) => !current.has(id))
    return joined.flatMap((id) => this.#groups.get(id)!.userActions)
  }

  #refused(email: string, error: { code: string; error: string }): UserGroupsForUserPutResponse {
    const user = this.#users.get(email.trim().toLowerCase())
    return {
      email,
      ...(user ? { userId: user.id } : {}),
      groups: user ? this.#groupsIn(this.#groupIdsByUser.get(user.id)!) : [],
      added: [],
      removed: [],
      ...error,
    }
  }

  async #assign(email: string, groupIds: readonly string[]): Promise<UserGroupsForUserPutResponse> {
    const { scope } = this
    const user = this.#users.get(email)!
    const current = this.#groupIdsByUser.get(user.id)!
    const desired = new Set(groupIds)
    const added = [...desired].filter((id) => !current.has(id))
    const removed = [...current].filter((id) => !desired.has(id))
    await addMemberships(
      scope,
      added.map((groupId) => ({ groupId, userId: user.id }))
    )
    await leaveGroups(scope, user.id, removed)
    if (added.length + removed.length > 0) {
      await recordAudit(scope, {
        action: 'user.groupsChanged',
        subject: user.id,
        data: { added, removed },
      })
    }
    this.#groupIdsByUser.set(user.id, desired)
    return {
      email: user.email,
      userId: user.id,
      groups: this.#groupsIn(desired),
      added: this.#groupsIn(new Set(added)),
      removed: this.#groupsIn(new Set(removed)),
    }
  }

  /** Returns the groups with these ids, ordered by name. */
  #groupsIn(ids: ReadonlySet<string>): UserGroup[] {
    return [...this.#groups.values()].filter(({ id }) => ids.has(id)).map(summaryOf)
  }
}

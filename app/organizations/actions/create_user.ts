import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import Organization from '../models/organization.js'
import User from '../models/user.js'

export interface CreateUserInput {
  /** Lower case. */
  email: string
  name?: string | null
  groupIds?: readonly string[]
  /** `invited` for someone who was only named, by default `active`. */
  status?: User['status']
}

/** Adds a person to the organization and to groups; to all its apps when it is set so. */
export class CreateUser {
  constructor(private readonly scope: Scope) {}

  /** @throws conflict when the address is known already. */
  async handle(input: CreateUserInput): Promise<User> {
    const { scope } = this
    const known = await scope.query(User).where('email', input.email).first()
    if (known) {
      throw refuse('conflict', { detail: `There is a user with the address ${input.email}.` })
    }
    const user = await scope.create(User, {
      id: newId('user'),
      email: input.email,
      name: input.name ?? null,
      status: input.status ?? 'active',
      createdAt: scope.now,
    })
    const groupIds = input.groupIds ?? []
    await scope.insert(
      'group_members',
      groupIds.map((group_id) => ({ group_id, user_id: user.id, created_at: scope.now }))
    )
    await this.#joinApps(user.id)
    await recordAudit(scope, {
      action: 'user.created',
      subject: user.id,
      data: { email: user.email, groupIds, status: user.status },
    })
    return user
  }

  async #joinApps(userId: string) {
    const { scope } = this
    const organization = await Organization.findOrFail(scope.organization.id, {
      client: scope.transaction,
    })
    if (!organization.addNewUsersToAllApps) return
    const apps: { id: string }[] = await scope.table('apps').select('id')
    const last: { app_id: string; position: number }[] = await scope
      .table('app_users')
      .groupBy('app_id')
      .select('app_id')
      .max('position as position')
    const positions = new Map(last.map((row) => [row.app_id, Number(row.position)]))
    await scope.insert(
      'app_users',
      apps.map(({ id }) => ({
        app_id: id,
        user_id: userId,
        position: (positions.get(id) ?? -1) + 1,
      }))
    )
  }
}

import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import Organization from '../models/organization.js'
import User from '../models/user.js'
import { organizationExtensions } from '../extensions.js'
import { addMemberships } from '../memberships.js'

interface CreateUserInput {
  /** In lower case. */
  email: string
  name?: string | null
  groupIds?: readonly string[]
  admin?: boolean
  /** `invited` for a person who has not signed in. The default is `active`. */
  status?: User['status']
}

/** Adds a user to the organization, to groups, and, if the organization is set so, to all apps. */
export class CreateUser {
  constructor(private readonly scope: Scope) {}

  /** @throws conflict when the address is already known */
  async handle(input: CreateUserInput): Promise<User> {
    const { scope } = this
    const known = await scope.query(User).where('email', input.email).first()
    if (known) {
      const message = `There is already a user with the address ${input.email}.`
      throw refuse('conflict', {
        detail: message,
        errors: [{ pointer: '/email', code: 'taken', message }],
      })
    }
    const user = await scope.create(User, {
      id: newId('user'),
      email: input.email,
      name: input.name ?? null,
      status: input.status ?? 'active',
      admin: input.admin ?? false,
      accountId: null,
      deactivatedAt: null,
      createdAt: scope.now,
    })
    const groupIds = input.groupIds ?? []
    await addMemberships(
      scope,
      groupIds.map((groupId) => ({ groupId, userId: user.id }))
    )
    if (await this.#joinsAllApps()) {
      for (const { apps } of organizationExtensions.all) await apps?.join(scope, user.id)
    }
    await recordAudit(scope, {
      action: 'user.created',
      subject: user.id,
      data: { email: user.email, groupIds, status: user.status, admin: user.admin },
    })
    return user
  }

  async #joinsAllApps(): Promise<boolean> {
    const { id } = this.scope.organization
    const organization = await Organization.findOrFail(id, { client: this.scope.transaction })
    return organization.addNewUsersToAllApps
  }
}

import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import User from '../models/user.js'
import { demandActive, findUser } from '../queries/user_entities.js'

interface LinkAccountInput {
  userId: string
  accountId: string
  /** Name for a person who has none. */
  name?: string | null
  /** Makes the person an admin. */
  admin?: boolean
}

/** Has an account sign in as a person from now on, who is active by that. */
export class LinkAccount {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found; conflict for a deactivated person, and for a person or an account that is taken */
  async handle({ userId, accountId, name, admin }: LinkAccountInput): Promise<void> {
    const { scope } = this
    const user = await findUser(scope, userId)
    demandActive(user)
    if (user.accountId !== null && user.accountId !== accountId) {
      throw refuse('conflict', { detail: 'Another account signs in as this person.' })
    }
    const other = await scope
      .query(User)
      .where('accountId', accountId)
      .whereNot('id', userId)
      .first()
    if (other) {
      throw refuse('conflict', { detail: `The account signs in as ${other.email} here already.` })
    }
    user.merge({ accountId, status: 'active', name: user.name ?? name ?? null })
    if (admin) user.admin = true
    if (!user.$isDirty) return
    await user.save()
    await recordAudit(scope, {
      action: 'user.joined',
      subject: userId,
      data: { email: user.email, admin: user.admin },
    })
  }
}

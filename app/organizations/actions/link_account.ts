import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import User from '../models/user.js'
import { requireActive, findUser } from '../queries/user_entities.js'

interface LinkAccountInput {
  userId: string
  accountId: string
  /** The name for a person who has none yet. */
  name?: string | null
  /** Makes the person an admin. */
  admin?: boolean
}

/** Links an account to the person as whom it signs in, which makes the person active. */
export class LinkAccount {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found; conflict for a deactivated person, or if the person or account is linked already */
  async handle({ userId, accountId, name, admin }: LinkAccountInput): Promise<void> {
    const { scope } = this
    const user = await findUser(scope, userId)
    requireActive(user)
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

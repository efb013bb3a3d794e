import { later, type Instant } from '#foundation/core/clock'
import { newId, randomText } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { hashOfToken } from '../queries/find_link.js'
import { signInLinks } from '../tables.js'

/** Milliseconds that a link is good for. */
const GOOD_MS = 24 * 3_600_000

interface CreateSignInLinkInput {
  /** Null for whoever has the link. */
  userId: string | null
  /** Makes its person an admin. */
  admin?: boolean
  /**
   * Sets the password of an account that belongs to other organizations too: for the operator
   * alone, who may do everything in all of them.
   */
  resets?: boolean
}

/** A link as it is shown once. */
interface NewLink {
  id: string
  /** Path of its page. */
  path: string
  expiresAt: Instant
}

/** Makes a link that signs a person in once. Its token is in the answer and is not stored. */
export class CreateSignInLink {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found for a person of no or another organization */
  async handle(input: CreateSignInLinkInput): Promise<NewLink> {
    const { scope } = this
    const { userId, admin = false, resets = false } = input
    if (userId !== null && !(await scope.lock('users', userId))) throw refuse('not_found')
    const now = scope.now
    await scope.table('sign_in_links').where('expires_at', '<=', now).delete()
    const [id, token, expiresAt] = [newId('lnk'), randomText(40), later(now, GOOD_MS)]
    const made = { id, userId, tokenHash: hashOfToken(token), admin, resets }
    await scope.insert(signInLinks, [{ ...made, createdAt: now, expiresAt, usedAt: null }])
    await recordAudit(scope, {
      action: 'link.created',
      subject: userId ?? id,
      data: { linkId: id, admin, resets },
    })
    return { id, path: `/sign-in/link/${token}`, expiresAt }
  }
}

import { DAY } from '#foundation/core/durations'
import { later, type Instant } from '#foundation/core/clock'
import { newId, randomText } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { hashOfToken } from '../queries/find_link.js'
import { signInLinks } from '../tables.js'

/** Milliseconds for which a link is valid. */
const GOOD_MS = DAY

interface CreateSignInLinkInput {
  /** Null for a link that anybody who has it can use. */
  userId: string | null
  /** Makes its person an admin. */
  admin?: boolean
  /**
   * Lets the link set the password even if the account belongs to other organizations, too. Only the
   * operator may make such a link.
   */
  resets?: boolean
}

/** A new link. This is the only time that its path is known. */
interface NewLink {
  id: string
  /** Path of its page. */
  path: string
  expiresAt: Instant
}

/** Makes a link that signs a person in once. Its token is only in the answer, and is not stored. */
export class CreateSignInLink {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found for a person who is not in this organization */
  async handle(input: CreateSignInLinkInput): Promise<NewLink> {
    const { scope } = this
    const { userId, admin = false, resets = false } = input
    if (userId !== null && !(await scope.lock('users', userId))) throw refuse('not_found')
    const now = scope.now
    await scope.table('sign_in_links').where('expires_at', '<=', now).delete()
    const [id, token, expiresAt] = [newId('lnk'), randomText(40), later(now, GOOD_MS)]
    const created = { id, userId, tokenHash: hashOfToken(token), admin, resets }
    await scope.insert(signInLinks, [{ ...created, createdAt: now, expiresAt, usedAt: null }])
    await recordAudit(scope, {
      action: 'link.created',
      subject: userId ?? id,
      data: { linkId: id, admin, resets },
    })
    return { id, path: `/sign-in/link/${token}`, expiresAt }
  }
}

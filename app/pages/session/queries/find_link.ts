import { hash } from 'node:crypto'
import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag, optional, text } from '#foundation/core/database/table'
import { clock, selects } from '#foundation/core/services'
import { signInLinks } from '../tables.js'

const LINK = select(
  {
    ...of(signInLinks, 'l', ['id', 'organizationId', 'userId', 'admin', 'resets']),
    ...of(signInLinks, 'l', ['expiresAt', 'usedAt']),
    organizationName: as(text(), 'o.name'),
    requireIfMatch: as(flag(), 'o.require_if_match'),
    email: as(optional(text()), 'u.email'),
    name: as(optional(text()), 'u.name'),
    accountId: as(optional(text()), 'u.account_id'),
  },
  `from sign_in_links l join organizations o on o.id = l.organization_id
   left join users u on u.organization_id = l.organization_id and u.id = l.user_id
   where l.token_hash = :hash and u.deactivated_at is null`
)

/** A valid link, with the person it is for. */
export type Link = RowOfSelect<typeof LINK>

/** The format of the token in a link. */
const TOKEN = /^[0-9A-Za-z]{40}$/

/** Returns the hash that is stored of a link's token. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'hex')

/** Finds the link of a token; null if it is unknown, used or expired. */
export async function findLink(token: string): Promise<Link | null> {
  if (!TOKEN.test(token)) return null
  const [link] = await selects.rows(LINK, { hash: hashOfToken(token) })
  return link && link.usedAt === null && link.expiresAt > clock.now() ? link : null
}

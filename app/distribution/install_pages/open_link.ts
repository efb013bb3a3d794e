import { as, of, select } from '#foundation/core/database/statement'
import { flag, text } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { clock, selects, unitOfWork } from '#foundation/core/services'
import { peopleOf, personName, type PersonSummary } from '#organizations/queries/people'
import Bucket from '../models/bucket.js'
import { mayInstall } from './may_install.js'
import { linkOfToken, readTicket, type TicketUse } from './install_tokens.js'
import { installLinks } from './tables.js'

const LINK = select(
  {
    ...of(installLinks, 'l'),
    appId: as(text(), 'k.app_id'),
    organizationName: as(text(), 'o.name'),
    requireIfMatch: as(flag(), 'o.require_if_match'),
  },
  `from install_links l join organizations o on o.id = l.organization_id
    join buckets k on k.id = l.bucket_id
  where l.id = :id`
)

/** A valid link, with its bucket. */
export interface OpenedLink {
  id: string
  /** Null for the newest build of the bucket. */
  buildId: string | null
  bucket: Bucket
  /** The tester it was made for; null for a public link. */
  tester: PersonSummary | null
  organizationName: string
  /** A read scope in its organization, with its tester as the actor. */
  scope: Scope
}

/**
 * Opens the link of a page's token.
 * @throws not_found for an unknown token, link_gone for a link that is no longer valid
 */
export function openPageLink(token: string): Promise<OpenedLink> {
  const linkId = linkOfToken(token)
  if (linkId === null) throw refuse('not_found')
  return openLink(linkId)
}

/**
 * Opens the link of a ticket, and returns its build, too.
 * @throws not_found for an unknown ticket, link_gone for one that is no longer valid
 */
export async function openTicket(
  use: TicketUse,
  token: string
): Promise<{ link: OpenedLink; buildId: string }> {
  const ticket = readTicket(use, token)
  if (ticket === null) throw refuse('not_found')
  if (ticket.expiresAt <= clock.now()) {
    throw refuse('link_gone', {
      detail: 'The link has expired; reload the page of the build.',
    })
  }
  return { link: await openLink(ticket.linkId), buildId: ticket.buildId }
}

/**
 * Resolves a link. Permissions are checked at every use, so that a revocation takes effect at once.
 */
async function openLink(id: string): Promise<OpenedLink> {
  const [row] = await selects.rows(LINK, { id })
  if (!row) throw refuse('link_gone', { detail: 'The link was revoked.' })
  const { organizationId, organizationName, requireIfMatch, appId, userId } = row
  const scopeOf = (actor: Actor) =>
    unitOfWork.readScope({
      organization: { id: organizationId, name: organizationName, requireIfMatch },
      actor,
      permissions: { admin: false, actions: new Set(), groupIds: [], appIds: new Set([appId]) },
    })
  const system = scopeOf({ type: 'system', id: null, name: 'install link' })
  if (row.expiresAt !== null && row.expiresAt <= system.now) {
    throw refuse('link_gone', { detail: 'The link has expired.' })
  }
  const bucket = await system.query(Bucket).where('id', row.bucketId).firstOrFail()
  const tester = userId === null ? null : (await peopleOf(system, [userId])).get(userId)!
  if (!(await mayInstall(system, bucket, userId))) {
    throw refuse('link_gone', { detail: 'The link no longer gives access.' })
  }
  const scope = tester ? scopeOf({ type: 'user', id: tester.id, name: personName(tester) }) : system
  return { id, buildId: row.buildId, bucket, tester, organizationName, scope }
}

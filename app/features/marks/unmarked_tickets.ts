import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { AffiliationName } from '../affiliation_names.js'
import { featureItems } from '../tables.js'
import { namedTrackers } from './named_trackers.js'

/** Maximum number of tickets marked at once. */
const MAX_TICKETS = 100

const UNMARKED = select(
  of(featureItems, 'i', ['itemKey', 'ticket']),
  `from feature_items i
  where i.organization_id = :org and i.release_id = :releaseId and i.item_key like :prefix
    and i.is_gone = false and i.is_moved_out = false and i.ignored = false
    and i.code_status in ('inRelease', 'released')
    and not exists (select 1 from release_tickets t where t.release_id = i.release_id
      and t.integration_id = :integrationId and i.item_key = :keyPrefix || t.key)
    and not exists (select 1 from ticket_marks m where m.release_id = i.release_id
      and m.integration_id = :integrationId and i.item_key = :keyPrefix || m.key)
  order by i.item_key limit ${MAX_TICKETS}`
)

/** Tickets of one tracker that are not marked with their release yet, and the marks to set. */
export interface Unmarked {
  integration: { id: string; connectionId: string }
  projects: string[]
  tickets: {
    /** The key as the tracker spells it. */
    key: string
    /** The key of its mark. */
    markedAs: string
  }[]
  names: AffiliationName[]
}

/**
 * Returns the next unmarked tickets whose code is in a release, by tracker. Ignored tickets and
 * those moved out of the app's projects are skipped.
 */
export async function unmarkedTickets(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string }
): Promise<Unmarked[]> {
  const unmarked: Unmarked[] = []
  for (const tracker of await namedTrackers(scope, { id: releaseId, appId })) {
    const { id: integrationId } = tracker.integration
    const keyPrefix = `ticket:${integrationId}:`
    const rows = await scope.rows(UNMARKED, {
      releaseId,
      integrationId,
      keyPrefix,
      prefix: `${keyPrefix}%`,
    })
    const tickets = rows.flatMap(({ itemKey, ticket }) =>
      ticket ? [{ key: ticket.key, markedAs: itemKey.slice(keyPrefix.length) }] : []
    )
    if (tickets.length > 0) unmarked.push({ ...tracker, tickets })
  }
  return unmarked
}

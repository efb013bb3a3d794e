import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { AffiliationName } from '../affiliation_names.js'
import { featureItems } from '../tables.js'
import { namedTrackers } from './named_trackers.js'

/** Most tickets that are marked at once. */
const MAX_MARKED = 100

const UNMARKED = select(
  of(featureItems, 'i', ['itemKey', 'ticket']),
  `from feature_items i
  where i.organization_id = :org and i.release_id = :releaseId and i.item_key like :prefix
    and i.is_gone = false and i.is_moved_out = false and i.ignored = false
    and i.code_status in ('inRelease', 'released')
    and not exists (select 1 from release_tickets t where t.release_id = i.release_id
      and t.integration_id = :integrationId and i.item_key = :start || t.key)
    and not exists (select 1 from ticket_marks m where m.release_id = i.release_id
      and m.integration_id = :integrationId and i.item_key = :start || m.key)
  order by i.item_key limit ${MAX_MARKED}`
)

/**
 * Tickets of one tracker that do not name their release yet, and the marks that they are to get.
 */
export interface Unmarked {
  integration: { id: string; connectionId: string }
  projects: string[]
  tickets: {
    /** As the tracker spells it. */
    key: string
    /** The key of its mark. */
    markedAs: string
  }[]
  names: AffiliationName[]
}

/**
 * Returns the next tickets whose code is in a release and that are not marked yet, by tracker. It
 * skips ignored tickets and those that were moved out of the app's projects.
 */
export async function unmarkedTickets(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string }
): Promise<Unmarked[]> {
  const unmarked: Unmarked[] = []
  for (const tracker of await namedTrackers(scope, { id: releaseId, appId })) {
    const { id: integrationId } = tracker.integration
    const start = `ticket:${integrationId}:`
    const rows = await scope.rows(UNMARKED, {
      releaseId,
      integrationId,
      start,
      prefix: `${start}%`,
    })
    const tickets = rows.flatMap(({ itemKey, ticket }) =>
      ticket ? [{ key: ticket.key, markedAs: itemKey.slice(start.length) }] : []
    )
    if (tickets.length > 0) unmarked.push({ ...tracker, tickets })
  }
  return unmarked
}

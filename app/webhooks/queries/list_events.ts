import { of, select } from '#foundation/core/database/statement'
import { events } from '#foundation/core/events/tables'
import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'

interface FeedRow {
  id: string
  sequence: number
  /** Length of its payload. */
  characters: number
}

/** Returns public events after a sequence, oldest first. */
export function listEvents(
  scope: Scope,
  filters: { after?: number; eventType?: string },
  { limit, after }: PageRequest
): Promise<FeedRow[]> {
  const from = after ? Number(after[0]) : (filters.after ?? 0)
  const query = scope
    .table('events')
    .where('sequence', '>', from)
    .whereNotNull('payload')
    .select('id', 'sequence')
    .select(scope.client.raw('length(payload) as characters'))
  if (filters.eventType) query.where('type', filters.eventType)
  return query.orderBy('sequence').limit(limit)
}

const PAYLOADS = select(
  of(events, 'e', ['payload']),
  'from events e where e.organization_id = :org and e.id in json(:ids) order by e.sequence'
)

/** Returns the payloads of events as they are sent, ordered by sequence. */
export async function payloadsOf(scope: Scope, rows: readonly FeedRow[]): Promise<unknown[]> {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const found = await scope.rows(PAYLOADS, { ids })
  // Retention may have removed a payload meanwhile.
  return found.flatMap(({ payload }) => (payload === null ? [] : [JSON.parse(payload)]))
}

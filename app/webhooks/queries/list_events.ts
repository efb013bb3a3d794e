import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'

export interface FeedRow {
  sequence: number
  payload: string
}

/** Public events after a sequence, oldest first, with their bytes as they are sent. */
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
    .select('sequence', 'payload')
  if (filters.eventType) query.where('type', filters.eventType)
  return query.orderBy('sequence').limit(limit)
}

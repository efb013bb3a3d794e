import type { Instant } from '#foundation/core/clock'
import type { PageRequest } from '#foundation/api/pages'
import type { Scope } from '#foundation/core/scope'
import { probeOf } from '#webhooks/queries/get_delivery'
import type { DeliveryRow, EndpointRow } from '#webhooks/rows'
import type { DeliveryStatus } from '#webhooks/vocabulary'

export interface DeliveryFilters {
  status?: DeliveryStatus
  eventType?: string
  createdAfter?: Instant
  createdBefore?: Instant
}

/** The columns that the list shows: without the payload. */
const COLUMNS = [
  'id',
  'endpoint_id',
  'event_id',
  'event_type',
  'sequence',
  'place',
  'app_id',
  'status',
  'attempt_count',
  'next_attempt_at',
  'last_attempt_at',
  'last_status_code',
  'last_error_class',
  'created_at',
  'finished_at',
]

/** Returns the deliveries of an endpoint, newest first. */
export async function listDeliveries(
  scope: Scope,
  endpoint: EndpointRow,
  filters: DeliveryFilters,
  { limit, after }: PageRequest
): Promise<DeliveryRow[]> {
  const query = scope.table('webhook_deliveries').where('endpoint_id', endpoint.id).select(COLUMNS)
  if (filters.status) await filterStatus(scope, endpoint, query, filters.status)
  if (filters.eventType) query.where('event_type', filters.eventType)
  if (filters.createdAfter) query.where('created_at', '>=', filters.createdAfter)
  if (filters.createdBefore) query.where('created_at', '<', filters.createdBefore)
  if (after) query.whereRaw('(created_at, place, id) < (?, ?, ?)', [...after])
  for (const column of ['created_at', 'place', 'id']) query.orderBy(column, 'desc')
  return query.limit(limit)
}

/**
 * Restricts a query to a status. Pending deliveries behind the probe of a degraded endpoint count
 * as held.
 */
async function filterStatus(
  scope: Scope,
  endpoint: EndpointRow,
  query: ReturnType<Scope['table']>,
  status: DeliveryStatus
): Promise<void> {
  const isDegraded = endpoint.status === 'degraded'
  if (!isDegraded || (status !== 'pending' && status !== 'held')) {
    query.where('status', status)
    return
  }
  const probeId = (await probeOf(scope, endpoint)) ?? ''
  if (status === 'pending') {
    query.where('status', 'pending').where((open) => {
      open.where('id', probeId).orWhereNull('next_attempt_at')
    })
    return
  }
  query.where((held) => {
    held.where('status', 'held').orWhere((behind) => {
      behind.where('status', 'pending').whereNot('id', probeId).whereNotNull('next_attempt_at')
    })
  })
}

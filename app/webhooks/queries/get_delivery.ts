import { refuse } from '#foundation/core/problems/problem'
import { oldestPending } from '#webhooks/delivery/pending'
import type { Scope } from '#foundation/core/scope'
import type { AttemptRow, DeliveryRow, EndpointRow } from '#webhooks/rows'

const SHOWN_ATTEMPTS = 100

/** Returns a delivery of an endpoint. @throws not_found */
export async function getDelivery(
  scope: Scope,
  endpointId: string,
  deliveryId: string
): Promise<DeliveryRow> {
  const row: DeliveryRow | null = await scope
    .table('webhook_deliveries')
    .where('endpoint_id', endpointId)
    .where('id', deliveryId)
    .first()
  if (!row) throw refuse('not_found')
  return row
}

/** Returns the latest attempts at a delivery, newest first. */
export function listAttempts(scope: Scope, deliveryId: string): Promise<AttemptRow[]> {
  return scope
    .table('webhook_attempts')
    .where('delivery_id', deliveryId)
    .orderBy('number', 'desc')
    .limit(SHOWN_ATTEMPTS)
}

/** Returns the payload of a delivery; null after its retention. */
export async function payloadOf(scope: Scope, delivery: DeliveryRow): Promise<string | null> {
  if (delivery.payload !== null) return delivery.payload
  const event = await scope.table('events').where('id', delivery.event_id).select('payload').first()
  return event?.payload ?? null
}

/** Returns the id of the delivery that probes a degraded endpoint; null if there is none. */
export async function probeOf(scope: Scope, endpoint: EndpointRow): Promise<string | null> {
  if (endpoint.status !== 'degraded') return null
  const oldest = await scope
    .table('webhook_deliveries')
    .whereRaw(`id in (select id from (${oldestPending('?')}) as oldest)`, [
      endpoint.id,
      endpoint.id,
    ])
    .orderBy('sequence')
    .select('id')
    .first()
  return oldest?.id ?? null
}

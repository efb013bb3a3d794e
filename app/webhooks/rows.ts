import {
  columnsOf,
  knownMembers,
  storedMembers,
  type StoredRowOf,
} from '#foundation/core/database/table'
import type { EndpointHealth } from '#webhooks/endpoint_health'
import type { Subscription } from '#webhooks/subscription'
import {
  webhookDeliveries,
  webhookEndpoints,
  type webhookAttempts,
  type webhookRecoveries,
} from '#webhooks/tables'

/** Rows as the database returns them, by column name. */
export type EndpointRow = StoredRowOf<typeof webhookEndpoints>
export type DeliveryRow = StoredRowOf<typeof webhookDeliveries>
export type AttemptRow = StoredRowOf<typeof webhookAttempts>
export type RecoveryRow = StoredRowOf<typeof webhookRecoveries>

export const ENDPOINT_COLUMNS = columnsOf(webhookEndpoints)
export const DELIVERY_COLUMNS = columnsOf(webhookDeliveries)

const HEALTH = [
  'status',
  'disabledReason',
  'failures',
  'failingSince',
  'warnings',
  'warnedAt',
] as const satisfies readonly (keyof EndpointHealth)[]
const SUBSCRIPTION = [
  'events',
  'appIds',
  'platforms',
] as const satisfies readonly (keyof Subscription)[]

export const healthOf = (row: EndpointRow): EndpointHealth =>
  knownMembers(webhookEndpoints, row, HEALTH)

/** Returns a health as columns. */
export const healthColumns = (health: EndpointHealth) => storedMembers(webhookEndpoints, health)

export const subscriptionOf = (
  row: Pick<EndpointRow, 'events' | 'app_ids' | 'platforms'>
): Subscription => knownMembers(webhookEndpoints, row, SUBSCRIPTION)

/** Returns the owner to which the secrets of an endpoint are sealed. */
export function sealOwner(endpoint: Pick<EndpointRow, 'id' | 'organization_id'>): string {
  return `webhookEndpoint ${endpoint.organization_id} ${endpoint.id}`
}

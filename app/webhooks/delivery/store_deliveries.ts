import type { Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { FOR_GOOD } from '#webhooks/delivery/entity_order'
import type { RelayedEvent } from '#webhooks/delivery/relayed_event'
import type { Statements } from '#webhooks/delivery/statements'

/** The columns of a new delivery, with their types in PostgreSQL's JSON record sets. */
const COLUMNS = {
  id: 'text',
  organization_id: 'text',
  endpoint_id: 'text',
  event_id: 'text',
  event_type: 'text',
  entity_key: 'text',
  app_id: 'text',
  sequence: 'bigint',
  place: 'bigint',
  status: 'text',
  failed_attempts: 'integer',
  attempt_count: 'integer',
  next_attempt_at: 'text',
  waits_until: 'text',
  created_at: 'text',
} as const

const NAMES = Object.keys(COLUMNS)
const INTO = `insert into webhook_deliveries (${NAMES.join(', ')})`
const UNLESS_STORED = `on conflict (endpoint_id, event_id) do nothing returning event_id, endpoint_id`

const POSTGRES = `${INTO} select ${NAMES.join(', ')}
  from jsonb_to_recordset(:rows::jsonb) as given
    (${Object.entries(COLUMNS)
      .map((column) => column.join(' '))
      .join(', ')})
  ${UNLESS_STORED}`
const SQLITE = `${INTO} select ${NAMES.map((name) => `json_extract(value, '$.${name}')`).join(', ')}
  from json_each(:rows) where true ${UNLESS_STORED}`

/** Returns the row of a new delivery. */
export function newDelivery(endpointId: string, event: RelayedEvent, now: Instant) {
  return {
    id: newId('whd'),
    organization_id: event.organization_id,
    endpoint_id: endpointId,
    event_id: event.id,
    event_type: event.type,
    entity_key: event.entity_key,
    app_id: event.app_id,
    sequence: event.sequence,
    place: event.sequence,
    status: 'pending',
    failed_attempts: 0,
    attempt_count: 0,
    next_attempt_at: now,
    waits_until: null as Instant | null,
    created_at: now,
  }
}

type NewDelivery = ReturnType<typeof newDelivery>

/** Stores deliveries, leaving out those that exist: one per event and endpoint. */
export async function storeDeliveries(
  statements: Statements,
  deliveries: readonly NewDelivery[]
): Promise<{ event_id: string; endpoint_id: string }[]> {
  if (deliveries.length === 0) return []
  return statements.all(statements.isPostgres ? POSTGRES : SQLITE, {
    rows: JSON.stringify(deliveries),
  })
}

/**
 * Stores the deliveries of the latest events, in their order. Of each entity only the first can be
 * due. The others are stored as waiting for it, provided that it is stored now and so cannot end
 * before they exist.
 */
export async function storeNext(
  statements: Statements,
  deliveries: readonly NewDelivery[]
): Promise<void> {
  const heads = new Map<string, NewDelivery>()
  const behind: [delivery: NewDelivery, head: NewDelivery][] = []
  for (const delivery of deliveries) {
    const line = `${delivery.endpoint_id} ${delivery.entity_key}`
    const head = heads.get(line)
    if (head) behind.push([delivery, head])
    else heads.set(line, delivery)
  }
  const stored = await storeDeliveries(statements, [...heads.values()])
  const fresh = new Set(stored.map((row) => `${row.endpoint_id} ${row.event_id}`))
  await storeDeliveries(
    statements,
    behind.map(([delivery, head]) => {
      const waits = fresh.has(`${head.endpoint_id} ${head.event_id}`)
      return { ...delivery, waits_until: waits ? FOR_GOOD : null }
    })
  )
}

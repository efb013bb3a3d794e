import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import { readClient } from '#foundation/core/database/connections'
import { transact } from '#foundation/core/database/transact'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Clock, Instant } from '#foundation/core/clock'
import { locking } from '#webhooks/delivery/locking'
import { Statements } from '#webhooks/delivery/statements'
import type { RelayedEvent } from '#webhooks/delivery/relayed_event'
import { newDelivery, storeNext } from '#webhooks/delivery/store_deliveries'
import { subscriptionOf, type EndpointRow } from '#webhooks/rows'
import { wants, type Addressed } from '#webhooks/subscription'

/** The maximum number of events that one transaction turns into deliveries. */
const MAX_EVENTS = 200
/** The maximum number of deliveries that one transaction creates, unless a single event has more. */
const MAX_DELIVERIES = 1000

const eventsFor = (endpoints: number) =>
  Math.max(1, Math.min(MAX_EVENTS, Math.floor(MAX_DELIVERIES / Math.max(1, endpoints))))

/** Queries the columns of `RelayedEvent`, with the current platform of the app. */
export function relayedEvents(client: TransactionClientContract, organizationId: string) {
  return from(client, 'events')
    .leftJoin('apps', (join) =>
      join.on('apps.id', 'events.app_id').andOn('apps.organization_id', 'events.organization_id')
    )
    .where('events.organization_id', organizationId)
    .whereNotNull('events.sequence')
    .orderBy('events.sequence')
    .select(
      'events.id',
      'events.organization_id',
      'events.type',
      'events.entity_key',
      'events.app_id',
      'events.sequence',
      'events.occurred_at',
      'apps.platform'
    )
}

export function addressed(event: RelayedEvent): Addressed {
  return { type: event.type, appId: event.app_id, platform: event.platform }
}

/** Has the workers check endpoints by a time. */
export async function wakeEndpoints(
  client: TransactionClientContract,
  endpointIds: readonly string[],
  now: Instant
): Promise<void> {
  if (endpointIds.length === 0) return
  await from(client, 'webhook_endpoints')
    .whereIn('id', [...endpointIds])
    .where((query) => query.whereNull('wake_at').orWhere('wake_at', '>', now))
    .update({ wake_at: now })
}

/**
 * Expands events into one delivery for each endpoint that wants them. Progress is stored per
 * organization, in the transaction of the deliveries. The sequences of an organization commit in
 * order, so no event is skipped; relaying an event again creates nothing.
 */
export class Relay {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Relays one batch per organization; returns the number of examined events. */
  async run(): Promise<number> {
    const behind: { organization_id: string }[] = await from(
      readClient(this.database),
      'webhook_relays'
    )
      .join('event_counters', 'event_counters.organization_id', 'webhook_relays.organization_id')
      .whereColumn('event_counters.last', '>', 'webhook_relays.sequence')
      .select('webhook_relays.organization_id')
      .limit(20)
    let count = 0
    for (const row of behind) count += await this.#relay(row.organization_id)
    return count
  }

  #relay(organizationId: string): Promise<number> {
    return transact(this.database, async (client, connection) => {
      const query = from(client, 'webhook_relays').where('organization_id', organizationId)
      const relay = await locking(query, 'skip').first()
      if (!relay) return 0
      const endpoints: EndpointRow[] = await from(client, 'webhook_endpoints')
        .where('organization_id', organizationId)
        .whereNot('status', 'disabled')
        .orderBy('id')
      const events: RelayedEvent[] = await relayedEvents(client, organizationId)
        .where('events.sequence', '>', relay.sequence)
        .limit(eventsFor(endpoints.length))
      if (events.length === 0) return 0
      await this.#expand(client, new Statements(client, connection), endpoints, events)
      await from(client, 'webhook_relays')
        .where('organization_id', organizationId)
        .update({ sequence: events[events.length - 1].sequence })
      return events.length
    })
  }

  async #expand(
    client: TransactionClientContract,
    statements: Statements,
    endpoints: readonly EndpointRow[],
    events: readonly RelayedEvent[]
  ) {
    const now = this.clock.now()
    const woken = new Set<string>()
    const deliveries = endpoints.flatMap((endpoint) => {
      const subscription = subscriptionOf(endpoint)
      return events
        .filter((event) => event.sequence > endpoint.start_sequence)
        .filter((event) => wants(subscription, addressed(event)))
        .map((event) => {
          woken.add(endpoint.id)
          return newDelivery(endpoint.id, event, now)
        })
    })
    await storeNext(statements, deliveries)
    await wakeEndpoints(client, [...woken].sort(), now)
  }
}

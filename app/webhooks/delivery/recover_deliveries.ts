import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import { readClient } from '#foundation/core/database/connections'
import { transact } from '#foundation/core/database/transact'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Clock, Instant } from '#foundation/core/clock'
import { locking } from '#webhooks/delivery/locking'
import { addressed, relayedEvents, wakeEndpoints } from '#webhooks/delivery/relay'
import type { RelayedEvent } from '#webhooks/delivery/relayed_event'
import { Statements } from '#webhooks/delivery/statements'
import { newDelivery, storeDeliveries } from '#webhooks/delivery/store_deliveries'
import { subscriptionOf, type EndpointRow, type RecoveryRow } from '#webhooks/rows'
import { wants } from '#webhooks/subscription'
import type { RecoveryStatus } from '#webhooks/vocabulary'

/** The number of events that one transaction examines. */
const BATCH = 200

const RECOVERABLE = ['failed', 'held', 'expired']

function statusOf(canceled: boolean, over: boolean): RecoveryStatus {
  if (canceled) return 'canceled'
  return over ? 'completed' : 'running'
}

/**
 * Carries out recoveries: restarts the schedule of every event since a time that the endpoint wants
 * and has not received, whether its delivery failed, was held, or was never created because the
 * endpoint was disabled. Each batch stores its progress in its own transaction, so that a recovery
 * continues there after a crash.
 */
export class RecoverDeliveries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Advances every running recovery by one batch; returns the number of examined events. */
  async run(): Promise<number> {
    const running: { id: string }[] = await from(readClient(this.database), 'webhook_recoveries')
      .where('status', 'running')
      .orderBy('created_at')
      .limit(20)
      .select('id')
    let count = 0
    for (const { id } of running) count += await this.#advance(id)
    return count
  }

  #advance(id: string): Promise<number> {
    return transact(this.database, async (client, connection) => {
      const query = from(client, 'webhook_recoveries').where('id', id).where('status', 'running')
      const recovery: RecoveryRow | null = await locking(query, 'skip').first()
      if (!recovery) return 0
      const endpoints = from(client, 'webhook_endpoints').where('id', recovery.endpoint_id)
      const endpoint: EndpointRow = await locking(endpoints, 'wait').firstOrFail()
      const events: RelayedEvent[] = await relayedEvents(client, recovery.organization_id)
        .where('events.sequence', '>', recovery.examined_sequence)
        .where('events.sequence', '<=', recovery.last_sequence)
        .whereNotNull('events.payload')
        .limit(BATCH)
      const statements = new Statements(client, connection)
      const canceled = endpoint.status === 'disabled'
      const recovered = canceled
        ? 0
        : await this.#recover(client, statements, recovery, endpoint, events)
      const over = canceled || events.length < BATCH
      await from(client, 'webhook_recoveries')
        .where('id', id)
        .update({
          examined_sequence: events.at(-1)?.sequence ?? recovery.last_sequence,
          examined: recovery.examined + events.length,
          recovered: recovery.recovered + recovered,
          status: statusOf(canceled, over),
          finished_at: over ? this.clock.now() : null,
        })
      return events.length
    })
  }

  async #recover(
    client: TransactionClientContract,
    statements: Statements,
    recovery: RecoveryRow,
    endpoint: EndpointRow,
    events: RelayedEvent[]
  ): Promise<number> {
    const now = this.clock.now()
    const subscription = subscriptionOf(endpoint)
    const wanted = events.filter((event) => {
      return event.occurred_at >= recovery.since && wants(subscription, addressed(event))
    })
    const known = await this.#deliveriesOf(client, endpoint.id, wanted)
    const missing = wanted.filter(({ id }) => !known.has(id))
    await storeDeliveries(
      statements,
      missing.map((event) => newDelivery(endpoint.id, event, now))
    )
    const again = [...known.values()].filter(({ status }) => RECOVERABLE.includes(status))
    await this.#restart(
      client,
      again.map(({ id }) => id),
      now
    )
    if (missing.length + again.length > 0) await wakeEndpoints(client, [endpoint.id], now)
    return missing.length + again.length
  }

  async #deliveriesOf(client: TransactionClientContract, endpointId: string, of: RelayedEvent[]) {
    const rows: { id: string; event_id: string; status: string }[] =
      of.length === 0
        ? []
        : await from(client, 'webhook_deliveries')
            .where('endpoint_id', endpointId)
            .whereIn(
              'event_id',
              of.map(({ id }) => id)
            )
            .select('id', 'event_id', 'status')
    return new Map(rows.map((row) => [row.event_id, row]))
  }

  async #restart(client: TransactionClientContract, ids: string[], now: Instant): Promise<void> {
    if (ids.length === 0) return
    await from(client, 'webhook_deliveries').whereIn('id', ids).update({
      status: 'pending',
      failed_attempts: 0,
      first_failed_at: null,
      waits_until: null,
      next_attempt_at: now,
      finished_at: null,
    })
  }
}

import type { Database } from '@adonisjs/lucid/database'
import type { Clock } from '#foundation/core/clock'
import { transact } from '#foundation/core/database/transact'
import {
  EndpointSettling,
  NOT_OWNED,
  type Settled,
  type Settlement,
} from '#webhooks/delivery/endpoint_settling'
import { listed, Statements } from '#webhooks/delivery/statements'
import {
  DELIVERY_COLUMNS,
  ENDPOINT_COLUMNS,
  type DeliveryRow,
  type EndpointRow,
} from '#webhooks/rows'
import type { Random } from '#webhooks/retry_schedule'

const ENDPOINTS = `select ${listed(ENDPOINT_COLUMNS)} from webhook_endpoints
  where id in json(:endpoints) order by id`
const DELIVERIES = `select ${listed(DELIVERY_COLUMNS)} from webhook_deliveries
  where id in json(:deliveries)`

/**
 * Records the outcomes of attempts in one transaction: log entries, the next steps of deliveries and
 * the health of endpoints. Only the holder of a claim can record its outcome. If workers are free,
 * the transaction also claims more deliveries to the same endpoints.
 */
export class SettleAttempts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly random: Random
  ) {}

  /** Settles one attempt. Waits for the lock of its endpoint. */
  async handle(settlement: Settlement): Promise<Settled> {
    const [settled] = await this.#settle([settlement], 'wait')
    return settled ?? NOT_OWNED
  }

  /** Settles several attempts; null for those whose endpoint is locked by others or deleted. */
  handleAll(settlements: readonly Settlement[]): Promise<(Settled | null)[]> {
    return this.#settle(settlements, 'skip')
  }

  #settle(
    settlements: readonly Settlement[],
    whenLocked: 'skip' | 'wait'
  ): Promise<(Settled | null)[]> {
    return transact(this.database, async (client, connection) => {
      const statements = Statements.byIndex(client, connection)
      const idsOf = (entity: 'endpoint' | 'delivery') =>
        JSON.stringify([...new Set(settlements.map(({ claimed }) => claimed[entity].id))])
      // One connection runs these in order, so the deliveries are read while the locks are held.
      const [endpoints, rows] = await Promise.all([
        statements.all<EndpointRow>(`${ENDPOINTS} ${statements.locking(whenLocked)}`, {
          endpoints: idsOf('endpoint'),
        }),
        statements.all<DeliveryRow>(DELIVERIES, { deliveries: idsOf('delivery') }),
      ])
      const deliveries = new Map(rows.map((row) => [row.id, row]))
      const settled = new Map<Settlement, Settled>()
      const now = this.clock.now()
      // Even if one fails, the others must finish before the transaction ends.
      const ends = await Promise.allSettled(
        endpoints.map(async (endpoint) => {
          const ofEndpoint = settlements.filter(
            ({ claimed }) => claimed.endpoint.id === endpoint.id
          )
          const settling = new EndpointSettling(statements, endpoint, deliveries, now, this.random)
          const results = await settling.settle(ofEndpoint)
          ofEndpoint.forEach((each, index) => settled.set(each, results[index]))
        })
      )
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      return settlements.map((each) => settled.get(each) ?? null)
    })
  }
}

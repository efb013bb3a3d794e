import type { Database } from '@adonisjs/lucid/database'
import { transact } from '#foundation/core/database/transact'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { later, type Clock, type Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { locking } from '#webhooks/delivery/locking'
import { nextWake } from '#webhooks/delivery/next_wake'
import type { AttemptKind, DeliveryRow, EndpointRow } from '#webhooks/rows'
import { ORDER_PATIENCE } from '#webhooks/schedule'

/** Most attempts at one endpoint at the same time. */
export const ENDPOINT_CONCURRENCY = 4

/** How long a claim outlives the attempt's own timeout. */
export const LEASE_MARGIN = 30_000

const SECOND = 1000

/** Endpoints looked at in one turn. */
const BATCH = 16

/** A delivery that this process alone may attempt until its lease is over. */
export interface Claimed {
  claimId: string
  kind: AttemptKind
  delivery: DeliveryRow
  endpoint: EndpointRow
}

/** Free workers: retries and probes have a share of their own. */
export interface Room {
  first: number
  retry: number
}

/**
 * Hands out due deliveries, at most once each while a lease lasts. Everything about an
 * endpoint (its order, its four at a time, its throttle, its probe) is decided under the
 * lock of its row, in a short transaction that is over before anything is sent.
 */
export class ClaimDeliveries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  async handle(room: Room): Promise<Claimed[]> {
    const due: { id: string }[] = await this.database
      .from('webhook_endpoints')
      .where('wake_at', '<=', this.clock.now())
      .orderBy('wake_at')
      .limit(BATCH)
      .select('id')
    const left = { ...room }
    const claimed: Claimed[] = []
    for (const { id } of due) {
      if (left.first + left.retry <= 0) break
      for (const claim of await this.#claimFor(id, left)) {
        left[shareOf(claim.kind)] -= 1
        claimed.push(claim)
      }
    }
    return claimed
  }

  #claimFor(endpointId: string, room: Room): Promise<Claimed[]> {
    return transact(this.database, async (client) => {
      const now = this.clock.now()
      const query = client.from('webhook_endpoints').where('id', endpointId)
      const endpoint: EndpointRow | null = await locking(query, 'skip').first()
      if (!endpoint || endpoint.wake_at === null || endpoint.wake_at > now) return []
      const turn = new EndpointTurn(client, endpoint, now)
      const claimed = await turn.claim(room)
      await client
        .from('webhook_endpoints')
        .where('id', endpointId)
        .update({ wake_at: turn.wakeAgain ?? (await nextWake(client, endpoint, now)) })
      return claimed
    })
  }
}

export function shareOf(kind: AttemptKind): keyof Room {
  return kind === 'retry' || kind === 'probe' ? 'retry' : 'first'
}

type Rows = ReturnType<TransactionClientContract['from']>

/** What one endpoint may start now. */
class EndpointTurn {
  /** When to look again because something due could not be started; null when all was. */
  wakeAgain: Instant | null = null
  readonly #claimed: Claimed[] = []
  #slots = 0

  constructor(
    private readonly client: TransactionClientContract,
    private readonly endpoint: EndpointRow,
    private readonly now: Instant
  ) {}

  async claim(room: Room): Promise<Claimed[]> {
    const running = await this.#running()
    const throttled = await this.#throttle()
    this.#slots = Math.min(ENDPOINT_CONCURRENCY - running.count, throttled.allowed)
    const nothingFree = running.count >= ENDPOINT_CONCURRENCY ? running.firstEnd : throttled.until

    const manual = await this.#take('manual', room.first, 'manual_at', this.#unclaimed())
    const { status } = this.endpoint
    if (status === 'active') {
      await this.#take('retry', room.retry, 'sequence', this.#retries())
      await this.#take('first', room.first - manual, 'sequence', this.#firsts())
    }
    if (status === 'degraded' && running.count + manual === 0) await this.#takeProbe(room.retry)
    if (this.#slots <= 0) this.wakeAgain = nothingFree ?? this.#leaseEnd()
    return this.#claimed
  }

  async #running(): Promise<{ count: number; firstEnd: Instant | null }> {
    const row = await this.client
      .from('webhook_deliveries')
      .where('endpoint_id', this.endpoint.id)
      .where('lease_until', '>', this.now)
      .count('* as count')
      .min('lease_until as first_end')
      .first()
    return { count: Number(row.count), firstEnd: row.first_end }
  }

  async #throttle(): Promise<{ allowed: number; until: Instant | null }> {
    const most = this.endpoint.max_per_second
    if (most === null) return { allowed: ENDPOINT_CONCURRENCY, until: null }
    const row = await this.client
      .from('webhook_deliveries')
      .where('endpoint_id', this.endpoint.id)
      .where('claimed_at', '>', later(this.now, -SECOND))
      .count('* as count')
      .min('claimed_at as oldest')
      .first()
    const until = later(row.oldest ?? this.now, SECOND)
    return { allowed: most - Number(row.count), until }
  }

  /** Deliveries that nobody works on. */
  #free() {
    return this.client
      .from('webhook_deliveries')
      .where('endpoint_id', this.endpoint.id)
      .where((query) => query.whereNull('lease_until').orWhere('lease_until', '<=', this.now))
  }

  #unclaimed() {
    return this.#free().where('manual_at', '<=', this.now)
  }

  #retries() {
    return this.#inOrder().where('failed_attempts', '>', 0).where('next_attempt_at', '<=', this.now)
  }

  /** What never failed is due since it is there; to ask for its time costs SQLite the right index. */
  #firsts() {
    return this.#inOrder().where('failed_attempts', 0).whereNotNull('sequence')
  }

  /** Pending ones that no earlier event of their entity holds up. */
  #inOrder() {
    const patience = later(this.now, -ORDER_PATIENCE)
    return this.#free()
      .where('status', 'pending')
      .whereNotExists((query) => {
        query
          .from('webhook_deliveries as earlier')
          .select('earlier.id')
          .whereColumn('earlier.endpoint_id', 'webhook_deliveries.endpoint_id')
          .whereColumn('earlier.entity_key', 'webhook_deliveries.entity_key')
          .where('earlier.status', 'pending')
          .whereColumn('earlier.sequence', '<', 'webhook_deliveries.sequence')
          .where((open) => {
            open
              .whereNull('earlier.first_failed_at')
              .orWhere('earlier.first_failed_at', '>', patience)
          })
      })
  }

  /** The oldest event stands for all that is held while the endpoint is degraded. */
  async #takeProbe(room: number): Promise<void> {
    const probeAt = this.endpoint.probe_at
    if (probeAt !== null && probeAt > this.now) return
    const oldest = this.#free().where('status', 'pending').whereNotNull('next_attempt_at')
    await this.#take('probe', Math.min(room, 1), 'sequence', oldest, 1)
  }

  async #take(
    kind: AttemptKind,
    room: number,
    order: string,
    candidates: Rows,
    most = ENDPOINT_CONCURRENCY
  ): Promise<number> {
    const wanted = Math.min(this.#slots, most)
    if (wanted <= 0) return 0
    const limit = Math.min(wanted, Math.max(room, 0))
    const picked: { id: string }[] =
      limit === 0 ? [] : await locking(candidates.select('id').orderBy(order).limit(limit), 'skip')
    if (picked.length > 0) await this.#mark(kind, picked)
    this.#slots -= picked.length
    // Workers of this share ran out before the endpoint's own slots did: look again soon.
    if (limit < wanted && picked.length === limit) this.wakeAgain = this.now
    return picked.length
  }

  async #mark(kind: AttemptKind, picked: { id: string }[]): Promise<void> {
    const claimId = newId('clm')
    const ids = picked.map(({ id }) => id)
    await this.client
      .from('webhook_deliveries')
      .whereIn('id', ids)
      .update({ claim_id: claimId, claimed_at: this.now, lease_until: this.#leaseEnd() })
    const rows: DeliveryRow[] = await this.client
      .from('webhook_deliveries')
      .where('claim_id', claimId)
      .whereIn('id', ids)
      .orderBy('sequence')
    for (const delivery of rows) {
      this.#claimed.push({ claimId, kind, delivery, endpoint: this.endpoint })
    }
  }

  #leaseEnd(): Instant {
    return later(this.now, this.endpoint.timeout_seconds * SECOND + LEASE_MARGIN)
  }
}

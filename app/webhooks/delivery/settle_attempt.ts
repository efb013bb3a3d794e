import type { Database } from '@adonisjs/lucid/database'
import { transact } from '#foundation/core/database/transact'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { later, type Clock, type Instant } from '#foundation/core/clock'
import type { Bindings } from '#foundation/core/database/statement'
import { newId } from '#foundation/core/ids'
import type { OutboundResult } from '#foundation/outbound/exchange'
import { EndpointTurn, type Claimed, type Room } from '#webhooks/delivery/endpoint_turn'
import { lookBehind } from '#webhooks/delivery/entity_order'
import { DISABLE_HEADER, type AttemptOutcome } from '#webhooks/delivery/make_attempt'
import { allPending } from '#webhooks/delivery/pending'
import { listed, Statements } from '#webhooks/delivery/statements'
import { healthAfter, type EndpointHealth, type HealthNotice, type Verdict } from '#webhooks/health'
import {
  DELIVERY_COLUMNS,
  ENDPOINT_COLUMNS,
  healthColumns,
  healthOf,
  type DeliveryRow,
  type EndpointRow,
} from '#webhooks/rows'
import { probeWait, readRetryAfter, retryWait, type Failure, type Random } from '#webhooks/schedule'
import type { DisabledReason } from '#webhooks/vocabulary'

const GONE = 410

/** What settling an attempt changed. */
export interface Settled {
  /** False when the lease had run out and somebody else has the delivery by now. */
  owned: boolean
  delivered: boolean
  notice: HealthNotice | null
  health: EndpointHealth | null
  /** What its worker may go on with. */
  next: Claimed[]
  /** Whether the endpoint may have more for other workers. */
  hasMore: boolean
}

const NOT_OWNED: Settled = {
  owned: false,
  delivered: false,
  notice: null,
  health: null,
  next: [],
  hasMore: false,
}

/**
 * Records what came of an attempt: the log entry, the delivery's next step, and what it
 * says of the endpoint, in one transaction that only the holder of the claim can make.
 */
export class SettleAttempt {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly random: Random
  ) {}

  /** With room given, claims what the endpoint has next in the same transaction. */
  handle(claimed: Claimed, outcome: AttemptOutcome, room?: Room): Promise<Settled> {
    return transact(this.database, async (client, connection) => {
      const statements = new Statements(client, connection)
      const endpoint = await statements.first<EndpointRow>(
        `select ${listed(ENDPOINT_COLUMNS)} from webhook_endpoints
         where id = :id ${statements.locking('wait')}`,
        { id: claimed.endpoint.id }
      )
      if (!endpoint) return NOT_OWNED
      const delivery = await statements.first<DeliveryRow>(
        `select ${listed(DELIVERY_COLUMNS)} from webhook_deliveries
         where id = :id and claim_id = :claim`,
        { id: claimed.delivery.id, claim: claimed.claimId }
      )
      if (!delivery) return NOT_OWNED
      const settling = new Settling(statements, claimed, endpoint, delivery, this.clock.now(), room)
      return settling.settle(outcome, this.random)
    })
  }
}

/** One outcome being written down. */
class Settling {
  readonly #next: Claimed[] = []
  #hasMore = true

  constructor(
    private readonly statements: Statements,
    private readonly claimed: Claimed,
    private readonly endpoint: EndpointRow,
    private readonly delivery: DeliveryRow,
    private readonly now: Instant,
    private readonly room: Room | undefined
  ) {}

  async settle(outcome: AttemptOutcome, random: Random): Promise<Settled> {
    if (outcome.kind === 'sent') {
      const { result, startedAt } = outcome
      await this.#log(result, startedAt)
      return this.claimed.kind === 'manual'
        ? this.#settleManual(result)
        : this.#settleScheduled(result, random)
    }
    if (outcome.kind === 'secretUnreadable') return this.#disable('secretUnreadable')
    if (outcome.kind === 'payloadGone') {
      const expiry = { status: 'expired', next_attempt_at: null, finished_at: this.now }
      const isOver = this.delivery.status === 'succeeded'
      await this.#updateDelivery({ manual_at: null, ...(isOver ? {} : expiry) })
    } else {
      await this.#updateDelivery({})
    }
    await this.#updateEndpoint({})
    return this.#done(false, null, null)
  }

  async #log(result: OutboundResult, startedAt: Instant): Promise<void> {
    await this.statements.insert('webhook_attempts', {
      id: newId('wha'),
      organization_id: this.delivery.organization_id,
      delivery_id: this.delivery.id,
      number: this.delivery.attempt_count + 1,
      kind: this.claimed.kind,
      delivered: isDelivered(result),
      started_at: startedAt,
      status_code: result.status,
      error_class: result.errorClass,
      error_message: result.errorMessage?.slice(0, 500) ?? null,
      answer_headers: JSON.stringify(result.headers),
      answer_body: result.bodyPrefix,
      remote_address: result.remoteAddress,
      timings: JSON.stringify(result.timings),
    })
  }

  /** Asked for by a person: it can only bring the delivery to its end, never set it back. */
  async #settleManual(result: OutboundResult): Promise<Settled> {
    const delivered = isDelivered(result)
    const isPing = this.delivery.sequence === null
    const end = { next_attempt_at: null, finished_at: this.now }
    await this.#updateDelivery({
      ...lastAttempt(this.delivery, result, this.now),
      manual_at: null,
      ...(delivered ? { status: 'succeeded', ...end } : {}),
      ...(!delivered && isPing ? { status: 'failed', ...end } : {}),
    })
    await this.#updateEndpoint({})
    return this.#done(delivered, null, null)
  }

  async #settleScheduled(result: OutboundResult, random: Random): Promise<Settled> {
    const delivered = isDelivered(result)
    const verdict: Verdict = { delivered, disable: wishOf(result) }
    const { health, notice } = healthAfter(healthOf(this.endpoint), verdict, this.now)
    const failure = failureOf(result, Date.parse(this.now))
    await this.#updateDelivery({
      ...lastAttempt(this.delivery, result, this.now),
      ...(delivered
        ? { status: 'succeeded', next_attempt_at: null, finished_at: this.now }
        : this.#afterFailure(failure, random)),
    })
    if (notice === 'disabled') await this.#hold()
    await this.#updateEndpoint({
      ...healthColumns(health),
      ...(delivered ? { last_success_at: this.now } : {}),
      ...this.#probing(health, failure, random),
    })
    return this.#done(delivered, notice, health)
  }

  #afterFailure(failure: Failure, random: Random): Bindings {
    const firstFailedAt = this.delivery.first_failed_at ?? this.now
    // Held meanwhile, or a probe that stands for all: the schedule does not move.
    if (this.delivery.status !== 'pending' || this.claimed.kind === 'probe') {
      return { first_failed_at: firstFailedAt }
    }
    const failed = this.delivery.failed_attempts + 1
    const wait = retryWait(failed, failure, random)
    return wait === null
      ? { failed_attempts: failed, status: 'failed', next_attempt_at: null, finished_at: this.now }
      : {
          failed_attempts: failed,
          first_failed_at: firstFailedAt,
          next_attempt_at: later(this.now, wait),
        }
  }

  /** When a degraded endpoint is tried again, and how many probes have failed by then. */
  #probing(health: EndpointHealth, failure: Failure, random: Random): Partial<EndpointRow> {
    if (health.status !== 'degraded') return { probe_at: null, probes: 0 }
    const isProbe = this.claimed.kind === 'probe'
    // Attempts that were under way when it degraded do not move the plan.
    if (this.endpoint.status === 'degraded' && !isProbe) return {}
    const probes = isProbe ? this.endpoint.probes + 1 : 0
    return { probe_at: later(this.now, probeWait(probes + 1, failure, random)), probes }
  }

  async #disable(reason: DisabledReason): Promise<Settled> {
    const before = healthOf(this.endpoint)
    const health: EndpointHealth =
      before.status === 'disabled'
        ? before
        : { ...before, status: 'disabled', disabledReason: reason }
    // A ping is not held for later: nobody recovers it.
    const isPing = this.delivery.sequence === null
    const failed = { status: 'failed', next_attempt_at: null, finished_at: this.now }
    await this.#updateDelivery({ manual_at: null, ...(isPing ? failed : {}) })
    await this.#hold()
    await this.#updateEndpoint({ ...healthColumns(health), probe_at: null })
    return this.#done(false, before === health ? null : 'disabled', health)
  }

  #hold() {
    return this.statements.all(
      `update webhook_deliveries set status = 'held', next_attempt_at = null
       where id in (${allPending(':endpoint')})`,
      { endpoint: this.endpoint.id }
    )
  }

  /** Releases the delivery and changes it; those that wait for it learn of an end or a failure. */
  async #updateDelivery(columns: Bindings): Promise<void> {
    const released = { claim_id: null, lease_until: null }
    await this.statements.update('webhook_deliveries', this.delivery.id, {
      ...released,
      ...columns,
    })
    const hasEnded = columns.status !== undefined && this.delivery.status === 'pending'
    if (hasEnded || columns.first_failed_at) {
      await lookBehind(this.statements, this.delivery, this.now)
    }
  }

  /** The endpoint keeps its place among those that wait for workers. */
  async #updateEndpoint(columns: Partial<EndpointRow>): Promise<void> {
    const endpoint = { ...this.endpoint, ...columns }
    const dueAt = [endpoint.wake_at ?? this.now, this.now].sort()[0]
    let wakeAt: Instant | null = dueAt
    if (this.room && endpoint.status === 'active') {
      const turn = new EndpointTurn(this.statements, endpoint, this.now)
      wakeAt = await turn.claim(this.room)
      if (wakeAt !== null && wakeAt <= this.now) wakeAt = dueAt
      this.#next.push(...turn.claimed)
      this.#hasMore = wakeAt === dueAt
    }
    await this.statements.update('webhook_endpoints', endpoint.id, {
      ...(columns as Bindings),
      wake_at: wakeAt,
    })
  }

  #done(delivered: boolean, notice: HealthNotice | null, health: EndpointHealth | null): Settled {
    return { owned: true, delivered, notice, health, next: this.#next, hasMore: this.#hasMore }
  }
}

/** Keeps what a disabled endpoint cannot take, until it is recovered or expires. */
export async function holdDeliveries(
  client: TransactionClientContract,
  endpointId: string
): Promise<void> {
  await client
    .from('webhook_deliveries')
    .whereRaw(`id in (${allPending('?')})`, [endpointId, endpointId, endpointId])
    .update({ status: 'held', next_attempt_at: null })
}

/** A complete answer of 200 to 299, and nothing else. */
export function isDelivered({ status, errorClass }: OutboundResult): boolean {
  return errorClass === null && status !== null && status >= 200 && status < 300
}

function wishOf({ status, headers }: OutboundResult): Verdict['disable'] {
  if (status === GONE) return 'gone'
  return headers[DISABLE_HEADER]?.trim().toLowerCase() === 'disable' ? 'askedByReceiver' : null
}

function failureOf({ status, errorClass, headers }: OutboundResult, now: number): Failure {
  return {
    status: status ?? undefined,
    timedOut: errorClass === 'timeout' || errorClass === 'connectTimeout',
    retryAfter: readRetryAfter(headers['retry-after'], now),
  }
}

function lastAttempt(delivery: DeliveryRow, result: OutboundResult, now: Instant) {
  return {
    attempt_count: delivery.attempt_count + 1,
    last_status_code: result.status,
    last_error_class: result.errorClass,
    last_attempt_at: now,
  }
}

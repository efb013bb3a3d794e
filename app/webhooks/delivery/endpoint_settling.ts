import { later, type Instant } from '#foundation/core/clock'
import type { Bindings } from '#foundation/core/database/statement'
import { storedRow, type RowOf } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import type { Life } from '#foundation/core/processes/presence'
import type { OutboundResult } from '#outbound-client/exchange'
import { EndpointTurn, shareOf, type Claimed, type Room } from '#webhooks/delivery/endpoint_turn'
import { lookBehind } from '#webhooks/delivery/entity_order'
import { DISABLE_HEADER, type AttemptOutcome, type Sent } from '#webhooks/delivery/make_attempt'
import { allPending } from '#webhooks/delivery/pending'
import type { Statements } from '#webhooks/delivery/statements'
import {
  healthAfter,
  type EndpointHealth,
  type HealthNotice,
  type Verdict,
} from '#webhooks/endpoint_health'
import { healthColumns, healthOf, type DeliveryRow, type EndpointRow } from '#webhooks/rows'
import {
  probeWait,
  readRetryAfter,
  retryWait,
  type Failure,
  type Random,
} from '#webhooks/retry_schedule'
import { webhookAttempts } from '#webhooks/tables'
import type { DisabledReason } from '#webhooks/vocabulary'

const GONE = 410

/** An attempt with its outcome. */
export interface Settlement {
  claimed: Claimed
  outcome: AttemptOutcome
  /** Room of its worker for further deliveries to the endpoint. */
  room?: Room
}

/** The result of settling an attempt. */
export interface Settled {
  /** False if the lease had expired and another process has claimed the delivery. */
  owned: boolean
  delivered: boolean
  notice: HealthNotice | null
  health: EndpointHealth | null
  /** The deliveries its worker may continue with. */
  next: Claimed[]
  /** True if the endpoint may have more for other workers. */
  hasMore: boolean
}

export const NOT_OWNED: Settled = {
  owned: false,
  delivered: false,
  notice: null,
  health: null,
  next: [],
  hasMore: false,
}

type Changed = Pick<Settled, 'delivered' | 'notice' | 'health'>

/**
 * Settles attempts at one endpoint one after the other, under the lock of its row, so that each sees
 * the endpoint as its predecessor left it. Statements are sent at once and awaited together at the
 * end.
 */
export class EndpointSettling {
  readonly #changes: Partial<EndpointRow> = {}
  readonly #room: Room = { first: 0, retry: 0 }
  readonly #sent: Promise<unknown>[] = []
  #endpoint: EndpointRow
  /** The process life that claims further deliveries; null if none may. */
  #nextLife: Life | null = null

  constructor(
    private readonly statements: Statements,
    endpoint: EndpointRow,
    private readonly deliveries: ReadonlyMap<string, DeliveryRow>,
    private readonly now: Instant,
    private readonly random: Random
  ) {
    this.#endpoint = endpoint
  }

  /** @returns the results in the order of the settlements */
  async settle(settlements: readonly Settlement[]): Promise<Settled[]> {
    try {
      return await this.#settleAll(settlements)
    } finally {
      // No statement may be pending on the connection when the transaction ends.
      await Promise.allSettled(this.#sent)
    }
  }

  async #settleAll(settlements: readonly Settlement[]): Promise<Settled[]> {
    const changed = settlements.map((each) => this.#settle(each))
    if (changed.every((each) => each === null)) return changed.map(() => NOT_OWNED)
    const { claimed, hasMore } = await this.#claimNext()
    await Promise.all(this.#sent)
    return changed.map((each, index) => {
      if (!each) return NOT_OWNED
      const next = share(claimed, settlements[index].room)
      return { owned: true, ...each, next, hasMore }
    })
  }

  #settle({ claimed, outcome, room }: Settlement): Changed | null {
    const delivery = this.deliveries.get(claimed.delivery.id)
    if (delivery?.claim_id !== claimed.claimId) return null
    if (room) {
      this.#nextLife = claimed.life
      this.#room.first += room.first
      this.#room.retry += room.retry
    }
    if (outcome.kind === 'sent') {
      const { result } = outcome
      this.#log(claimed, delivery, outcome)
      return claimed.kind === 'manual'
        ? this.#settleManual(delivery, result)
        : this.#settleScheduled(claimed, delivery, result)
    }
    if (outcome.kind === 'secretUnreadable') return this.#disable(delivery, 'secretUnreadable')
    if (outcome.kind === 'payloadGone') {
      const expiry = { status: 'expired', next_attempt_at: null, finished_at: this.now }
      const isOver = delivery.status === 'succeeded'
      this.#release(delivery, { manual_at: null, ...(isOver ? {} : expiry) })
    } else {
      this.#release(delivery, {})
    }
    return { delivered: false, notice: null, health: null }
  }

  #log(claimed: Claimed, delivery: DeliveryRow, sent: Sent): void {
    const { startedAt, url, headerNames, result } = sent
    const entry: RowOf<typeof webhookAttempts> = {
      id: newId('wha'),
      organizationId: delivery.organization_id,
      deliveryId: delivery.id,
      number: delivery.attempt_count + 1,
      kind: claimed.kind,
      delivered: isDelivered(result),
      startedAt,
      url,
      headerNames,
      statusCode: result.status,
      errorClass: result.errorClass,
      errorMessage: result.errorMessage?.slice(0, 500) ?? null,
      answerHeaders: result.headers,
      answerBody: result.bodyPrefix,
      remoteAddress: result.remoteAddress,
      timings: result.timings,
    }
    this.#send(this.statements.insert(webhookAttempts.name, storedRow(webhookAttempts, entry)))
  }

  /** Settles an attempt that a person requested: it can finish the delivery, but not set it back. */
  #settleManual(delivery: DeliveryRow, result: OutboundResult): Changed {
    const delivered = isDelivered(result)
    const isPing = delivery.sequence === null
    const end = { next_attempt_at: null, finished_at: this.now }
    this.#release(delivery, {
      ...lastAttempt(delivery, result, this.now),
      manual_at: null,
      ...(delivered ? { status: 'succeeded', ...end } : {}),
      ...(!delivered && isPing ? { status: 'failed', ...end } : {}),
    })
    return { delivered, notice: null, health: null }
  }

  #settleScheduled(claimed: Claimed, delivery: DeliveryRow, result: OutboundResult): Changed {
    const delivered = isDelivered(result)
    const verdict: Verdict = { delivered, disable: commandOf(result) }
    const { health, notice } = healthAfter(healthOf(this.#endpoint), verdict, this.now)
    const failure = failureOf(result, Date.parse(this.now))
    this.#release(delivery, {
      ...lastAttempt(delivery, result, this.now),
      ...(delivered
        ? { status: 'succeeded', next_attempt_at: null, finished_at: this.now }
        : this.#afterFailure(claimed, delivery, failure)),
    })
    if (notice === 'disabled') this.#hold()
    this.#change({
      ...healthColumns(health),
      ...(delivered ? { last_success_at: this.now } : {}),
      ...this.#probing(claimed, health, failure),
    })
    return { delivered, notice, health }
  }

  #afterFailure(claimed: Claimed, delivery: DeliveryRow, failure: Failure): Bindings {
    const firstFailedAt = delivery.first_failed_at ?? this.now
    // Held meanwhile, or a probe: the schedule does not change.
    if (delivery.status !== 'pending' || claimed.kind === 'probe') {
      return { first_failed_at: firstFailedAt }
    }
    const failed = delivery.failed_attempts + 1
    const wait = retryWait(failed, failure, this.random)
    if (wait === null) {
      const end = { status: 'failed', next_attempt_at: null, finished_at: this.now }
      return { failed_attempts: failed, ...end }
    }
    return {
      failed_attempts: failed,
      first_failed_at: firstFailedAt,
      next_attempt_at: later(this.now, wait),
    }
  }

  /** Returns the time of the next probe of a degraded endpoint, and the number of failed ones. */
  #probing(claimed: Claimed, health: EndpointHealth, failure: Failure): Partial<EndpointRow> {
    if (health.status !== 'degraded') return { probe_at: null, probes: 0 }
    const isProbe = claimed.kind === 'probe'
    // Attempts that were under way when it degraded do not change the plan.
    if (this.#endpoint.status === 'degraded' && !isProbe) return {}
    const probes = isProbe ? this.#endpoint.probes + 1 : 0
    return { probe_at: later(this.now, probeWait(probes + 1, failure, this.random)), probes }
  }

  #disable(delivery: DeliveryRow, reason: DisabledReason): Changed {
    const before = healthOf(this.#endpoint)
    const health: EndpointHealth =
      before.status === 'disabled'
        ? before
        : { ...before, status: 'disabled', disabledReason: reason }
    // A ping fails instead of being held, as recoveries do not cover pings.
    const isPing = delivery.sequence === null
    const failed = { status: 'failed', next_attempt_at: null, finished_at: this.now }
    this.#release(delivery, { manual_at: null, ...(isPing ? failed : {}) })
    this.#hold()
    this.#change({ ...healthColumns(health), probe_at: null })
    return { delivered: false, notice: before === health ? null : 'disabled', health }
  }

  /** Holds all pending deliveries, including those that this instance settles afterwards. */
  #hold(): void {
    const held = `update webhook_deliveries set status = 'held', next_attempt_at = null
      where id in (${allPending(':endpoint')})`
    this.#send(this.statements.all(held, { endpoint: this.#endpoint.id }))
    for (const delivery of this.deliveries.values()) {
      const isOf = delivery.endpoint_id === this.#endpoint.id && delivery.sequence !== null
      if (isOf && delivery.status === 'pending') delivery.status = 'held'
    }
  }

  /** Ends the claim of a delivery and changes it; an end or a failure may unblock those behind it. */
  #release(delivery: DeliveryRow, columns: Bindings): void {
    const released = { claim_id: null, claimed_by: null, lease_until: null }
    const changes = { ...released, ...columns }
    this.#send(this.statements.update('webhook_deliveries', delivery.id, changes))
    const hasEnded = columns.status !== undefined && delivery.status === 'pending'
    if (hasEnded || columns.first_failed_at) {
      this.#send(lookBehind(this.statements, delivery, this.now))
    }
    Object.assign(delivery, changes)
  }

  #change(columns: Partial<EndpointRow>): void {
    Object.assign(this.#changes, columns)
    this.#endpoint = { ...this.#endpoint, ...columns }
  }

  /** Claims as much as there is room for; the endpoint keeps its place in the queue for workers. */
  async #claimNext(): Promise<{ claimed: Claimed[]; hasMore: boolean }> {
    const endpoint = this.#endpoint
    const dueAt = [endpoint.wake_at ?? this.now, this.now].sort()[0]
    let wakeAt: Instant | null = dueAt
    let claimed: Claimed[] = []
    if (this.#nextLife && endpoint.status === 'active') {
      const turn = new EndpointTurn(this.statements, endpoint, this.now, this.#nextLife)
      wakeAt = await turn.claim(this.#room)
      if (wakeAt !== null && wakeAt <= this.now) wakeAt = dueAt
      claimed = turn.claimed
    }
    const changes = { ...(this.#changes as Bindings), wake_at: wakeAt }
    this.#send(this.statements.update('webhook_endpoints', endpoint.id, changes))
    return { claimed, hasMore: wakeAt === dueAt }
  }

  #send(statement: Promise<unknown>): void {
    statement.catch(() => {})
    this.#sent.push(statement)
  }
}

/** Removes from `claimed`, and returns, the deliveries that one worker has room for. */
function share(claimed: Claimed[], room: Room = { first: 0, retry: 0 }): Claimed[] {
  const remaining = { ...room }
  const taken: Claimed[] = []
  for (const each of [...claimed]) {
    if (remaining[shareOf(each.kind)]-- <= 0) continue
    taken.push(each)
    claimed.splice(claimed.indexOf(each), 1)
  }
  return taken
}

/** Returns whether there was a complete answer with a status of 200 to 299. */
function isDelivered({ status, errorClass }: OutboundResult): boolean {
  return errorClass === null && status !== null && status >= 200 && status < 300
}

function commandOf({ status, headers }: OutboundResult): Verdict['disable'] {
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

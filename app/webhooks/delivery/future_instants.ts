import { MINUTE } from '#foundation/core/durations'
import type { Database } from '@adonisjs/lucid/database'
import { later, type Clock, type Instant } from '#foundation/core/clock'
import { transact } from '#foundation/core/database/transact'
import { LEASE_MARGIN } from '#webhooks/delivery/endpoint_turn'
import { FOR_GOOD } from '#webhooks/delivery/entity_order'
import { Statements } from '#webhooks/delivery/statements'
import type { DeliveryRow } from '#webhooks/rows'
import { MAX_TIMEOUT_SECONDS, ORDER_PATIENCE, PROBE_STEPS } from '#webhooks/retry_schedule'

/** An upper bound of the difference between the clocks of processes. */
const MARGIN = MINUTE

const MAX_LEASE = MAX_TIMEOUT_SECONDS * 1000 + LEASE_MARGIN

/** `Retry-After` can at most double the last step. */
const MAX_PROBE_WAIT = 2 * Math.max(...PROBE_STEPS)

/** The number of deliveries changed in one transaction. */
const BATCH = 500

type Attempted = Pick<
  DeliveryRow,
  'id' | 'endpoint_id' | 'next_attempt_at' | 'last_attempt_at' | 'first_failed_at'
>

/**
 * Returns the due time of a delivery whose last attempt lies in the future: the same delay, counted
 * from now. It is never later than before, so that repeating the correction changes nothing.
 */
export function dueFromNow(dueAt: Instant, attemptedAt: Instant, now: Instant): Instant {
  const wait = Date.parse(dueAt) - Date.parse(attemptedAt)
  if (attemptedAt <= now || wait < 0) return dueAt
  const due = later(now, wait)
  return due < dueAt ? due : dueAt
}

/**
 * Corrects instants that were written before the clock was set back. Leases, waits and attempts that
 * are too far in the future would delay deliveries by as much as the clock was set back. Also wakes
 * all endpoints.
 */
export class FutureInstants {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  async run(): Promise<void> {
    const now = this.clock.now()
    await this.#inTransaction((statements) => this.#endTooLongWaits(statements, now))
    let after: string | null = ''
    while (after !== null) {
      const from: string = after
      after = await this.#inTransaction((statements) => this.#moveAttempts(statements, now, from))
    }
  }

  #inTransaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result> {
    return transact(this.database, (client, connection) => work(new Statements(client, connection)))
  }

  async #endTooLongWaits(statements: Statements, now: Instant): Promise<void> {
    const ahead = later(now, MARGIN)
    await statements.all(
      `update webhook_deliveries set lease_until = :now
       where lease_until is not null and lease_until > :most`,
      { now, most: later(ahead, MAX_LEASE) }
    )
    await statements.all(
      `update webhook_deliveries set manual_at = :now
       where manual_at is not null and manual_at > :ahead`,
      { now, ahead }
    )
    await statements.all(
      `update webhook_deliveries set waits_until = null
       where status = 'pending' and waits_until is not null
         and waits_until > :most and waits_until < '${FOR_GOOD}'`,
      { most: later(ahead, ORDER_PATIENCE) }
    )
    await statements.all('update webhook_endpoints set wake_at = :now where wake_at > :now', {
      now,
    })
    await statements.all('update webhook_endpoints set probe_at = :now where probe_at > :most', {
      now,
      most: later(ahead, MAX_PROBE_WAIT),
    })
  }

  /** Corrects one batch. @returns its last id; null if there are no more */
  async #moveAttempts(statements: Statements, now: Instant, after: string) {
    const part = (waits: string) => `
      select id, endpoint_id, next_attempt_at, last_attempt_at, first_failed_at
      from webhook_deliveries
      where status = 'pending' and failed_attempts > 0 and waits_until ${waits}
        and last_attempt_at > :ahead and id > :after`
    const rows = await statements.all<Attempted>(
      `${part('is null')} union all ${part('is not null')} order by id limit ${BATCH}`,
      { ahead: later(now, MARGIN), after }
    )
    for (const row of rows) {
      const { next_attempt_at: dueAt, last_attempt_at: attemptedAt, first_failed_at: first } = row
      await statements.update('webhook_deliveries', row.id, {
        next_attempt_at: dueAt && attemptedAt && dueFromNow(dueAt, attemptedAt, now),
        first_failed_at: first && (first > now ? now : first),
      })
    }
    const endpoints = JSON.stringify([...new Set(rows.map((row) => row.endpoint_id))])
    await statements.all(
      `update webhook_endpoints set probe_at = :now
       where id in json(:endpoints) and probe_at > :now`,
      { now, endpoints }
    )
    return rows.length < BATCH ? null : rows[rows.length - 1].id
  }
}

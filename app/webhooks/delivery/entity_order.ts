import { earlier, later, type Instant } from '#foundation/core/clock'
import { waiting } from '#webhooks/delivery/pending'
import type { Statements } from '#webhooks/delivery/statements'
import { ORDER_PATIENCE } from '#webhooks/retry_schedule'

/*
 * Order within an entity. A delivery waits for the nearest earlier delivery of its entity that is
 * pending and has not been failing for five minutes. Claiming checks the deliveries without a mark
 * (`waits_until` is null) and marks those that have to wait, so that it does not read them again.
 * When a delivery ends or fails, the marks behind it are removed. Both happen under the lock of the
 * endpoint. The mark only saves reads: every claim is checked in its own transaction.
 */

/** The mark of a delivery that waits for another delivery, not for a time. Sorts after all times. */
export const FOR_GOOD = '9999-12-31T23:59:59.999Z'

/** An upper bound of all sequences. */
const LAST_SEQUENCE = Number.MAX_SAFE_INTEGER

const NEVER_FAILED = 'never'

/** For a delivery `d`: the first failure of the nearest delivery that blocks it; null if none does. */
export const BLOCKER = `(
  select coalesce(earlier.first_failed_at, '${NEVER_FAILED}')
  from webhook_deliveries earlier
  where earlier.endpoint_id || ' ' || earlier.entity_key = d.endpoint_id || ' ' || d.entity_key
    and earlier.status = 'pending' and earlier.sequence < d.sequence
    and (earlier.first_failed_at is null or earlier.first_failed_at > :patience)
  order by earlier.sequence desc limit 1)`

/** A delivery that first failed at this time or before no longer blocks others. */
export function patienceAt(now: Instant): Instant {
  return earlier(now, ORDER_PATIENCE)
}

/** Returns the time until which a delivery waits for the one that `BLOCKER` found. */
export function waitFor(blocker: string): Instant {
  return blocker === NEVER_FAILED ? FOR_GOOD : later(blocker, ORDER_PATIENCE)
}

/** Removes the marks of deliveries whose wait is over. */
export async function endWaits(statements: Statements, endpoint: string, now: Instant) {
  await statements.all(
    `update webhook_deliveries set waits_until = null
     where id in (select d.id ${waiting(':endpoint')} and d.waits_until <= :now)`,
    { endpoint, now }
  )
}

/**
 * Removes the marks behind a delivery that has ended or failed, up to the first delivery that blocks
 * the rest instead.
 */
export async function lookBehind(
  statements: Statements,
  { endpoint_id: endpoint, entity_key: entity, sequence }: Place,
  now: Instant
): Promise<void> {
  if (sequence === null) return
  await statements.all(
    `update webhook_deliveries set waits_until = null
     where endpoint_id || ' ' || entity_key = :line and status = 'pending'
       and sequence > :sequence
       and sequence <= coalesce((
         select d.sequence from webhook_deliveries d
         where d.endpoint_id || ' ' || d.entity_key = :line and d.status = 'pending'
           and d.sequence > :sequence
           and (d.first_failed_at is null or d.first_failed_at > :patience)
         order by d.sequence limit 1), ${LAST_SEQUENCE})
       and waits_until is not null`,
    { line: `${endpoint} ${entity}`, sequence, patience: patienceAt(now) }
  )
}

interface Place {
  endpoint_id: string
  entity_key: string
  sequence: number | null
}

/**
 * Removes marks without an end when nothing is pending for which deliveries could wait: a process of
 * another version may not have removed them. Returns whether there were any.
 */
export async function endLostWaits(statements: Statements, endpoint: string): Promise<boolean> {
  const rows = await statements.all(
    `update webhook_deliveries set waits_until = null
     where id in (
       select d.id ${waiting(':endpoint')} and d.waits_until = '${FOR_GOOD}'
       order by d.sequence limit 200)
     returning id`,
    { endpoint }
  )
  return rows.length > 0
}

import { later, type Instant } from '#foundation/core/clock'
import { waiting } from '#webhooks/delivery/pending'
import type { Statements } from '#webhooks/delivery/statements'
import { ORDER_PATIENCE } from '#webhooks/retry_schedule'

/*
 * Order within an entity. A delivery waits for the nearest earlier one of its entity that is
 * pending and has not failed for five minutes. Claiming looks at each delivery that does not
 * wait yet (`waits_until` is null) and lets those wait that have to, so that it never meets
 * them again; whoever ends or fails a delivery has the ones behind it looked at again. Both
 * happen under the lock of the endpoint. The mark only spares the look: what is claimed was
 * checked in the same transaction.
 */

/** Waits for something to happen, not for a time. Sorts behind every time. */
export const FOR_GOOD = '9999-12-31T23:59:59.999Z'

/** No earlier delivery can be behind this sequence. */
const LAST_SEQUENCE = Number.MAX_SAFE_INTEGER

const NEVER_FAILED = 'never'

/**
 * For the delivery `d`: when the nearest delivery that it waits for first failed; null for none.
 */
export const BLOCKER = `(
  select coalesce(earlier.first_failed_at, '${NEVER_FAILED}')
  from webhook_deliveries earlier
  where earlier.endpoint_id || ' ' || earlier.entity_key = d.endpoint_id || ' ' || d.entity_key
    and earlier.status = 'pending' and earlier.sequence < d.sequence
    and (earlier.first_failed_at is null or earlier.first_failed_at > :patience)
  order by earlier.sequence desc limit 1)`

/** Since when a delivery must have failed to hold up nobody any more. */
export function patienceAt(now: Instant): Instant {
  return later(now, -ORDER_PATIENCE)
}

/** Returns how long a delivery waits for the one that `BLOCKER` found. */
export function waitFor(blocker: string): Instant {
  return blocker === NEVER_FAILED ? FOR_GOOD : later(blocker, ORDER_PATIENCE)
}

/** Lets those be looked at whose wait is over. */
export async function endWaits(statements: Statements, endpoint: string, now: Instant) {
  await statements.all(
    `update webhook_deliveries set waits_until = null
     where id in (select d.id ${waiting(':endpoint')} and d.waits_until <= :now)`,
    { endpoint, now }
  )
}

/**
 * After a delivery has ended or failed: lets those behind it be looked at, up to the first
 * one that holds up the rest in its place.
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
 * Lets the oldest of those that wait for good be looked at, when nothing is there for which
 * they could: a process of another version does not know of the mark. Answers whether any did.
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

/*
 * The pending deliveries of an endpoint in three parts, each with an index of its own that
 * holds nothing else (database/migrations/0017_webhooks.ts); a binding stands for the endpoint's id.
 */

const pending = (endpoint: string) =>
  `from webhook_deliveries d where d.endpoint_id || '' = ${endpoint} and d.status = 'pending'`

/** Never failed, and behind nobody; in the order of `sequence`. */
export const fresh = (endpoint: string) =>
  `${pending(endpoint)} and d.failed_attempts = 0 and d.waits_until is null
   and d.sequence is not null`

/** Failed before, and behind nobody; in the order of `next_attempt_at`. */
export const failed = (endpoint: string) =>
  `${pending(endpoint)} and d.failed_attempts > 0 and d.waits_until is null`

/** Behind an earlier one of the same entity; in the order of `waits_until`. */
export const waiting = (endpoint: string) => `${pending(endpoint)} and d.waits_until is not null`

/** Ids of all of them; binds the endpoint's id three times. */
export const allPending = (endpoint: string) =>
  [fresh, failed, waiting].map((part) => `select d.id ${part(endpoint)}`).join(' union all ')

/** Ids among which the oldest is: it is behind nobody. Binds the endpoint's id twice. */
export const oldestPending = (endpoint: string, isFree = '1 = 1') =>
  [fresh, failed]
    .map((part, index) => {
      const one = `select d.id, d.sequence ${part(endpoint)} and ${isFree} order by d.sequence limit 1`
      return `select id, sequence from (${one}) as part_${index}`
    })
    .join(' union all ')

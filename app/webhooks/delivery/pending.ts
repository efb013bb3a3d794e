/*
 * The pending deliveries of an endpoint in three parts, each with a partial index of its own
 * (database/migrations/0017_webhooks.ts). The parameter is the binding of the endpoint's id.
 */

const pending = (endpoint: string) =>
  `from webhook_deliveries d where d.endpoint_id || '' = ${endpoint} and d.status = 'pending'`

/** Never failed and not blocked; the index is sorted by `sequence`. */
export const fresh = (endpoint: string) =>
  `${pending(endpoint)} and d.failed_attempts = 0 and d.waits_until is null
   and d.sequence is not null`

/** Failed before and not blocked; the index is sorted by `next_attempt_at`. */
export const failed = (endpoint: string) =>
  `${pending(endpoint)} and d.failed_attempts > 0 and d.waits_until is null`

/** Blocked by an earlier one of the same entity; the index is sorted by `waits_until`. */
export const waiting = (endpoint: string) => `${pending(endpoint)} and d.waits_until is not null`

/** Selects the ids of all pending deliveries; binds the endpoint's id three times. */
export const allPending = (endpoint: string) =>
  [fresh, failed, waiting].map((part) => `select d.id ${part(endpoint)}`).join(' union all ')

/** Selects two ids, one of them the oldest, which is never blocked; binds the endpoint's id twice. */
export const oldestPending = (endpoint: string, isFree = '1 = 1') =>
  [fresh, failed]
    .map((part, index) => {
      const one = `select d.id, d.sequence ${part(endpoint)} and ${isFree} order by d.sequence limit 1`
      return `select id, sequence from (${one}) as part_${index}`
    })
    .join(' union all ')

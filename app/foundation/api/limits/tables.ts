import { integer, json, optional, table, text } from '../../core/database/table.js'

/** Counts of the limiter by key, and the saved daily counts of `request_counts`. */
export const rateLimits = table('rate_limits', {
  key: text(),
  points: integer(),
  /** In milliseconds; null if it never ends. */
  expire: optional(integer()),
})

/** Accepted requests. On PostgreSQL the table is unlogged: a crash of the server empties it. */
export const requestCounts = table('request_counts', {
  key: text(),
  /** Times within the last second, in milliseconds; on PostgreSQL an array that only SQL reads. */
  times: json<readonly number[]>(),
  /** Running totals at these times, stored alike. */
  totals: json<readonly number[]>(),
  /** Days since 1970. */
  day: integer(),
  ofDay: integer(),
  /** Limit per day. */
  perDay: integer(),
  /** Number of requests accepted by the last count. */
  granted: integer(),
  /** In milliseconds; 0 on PostgreSQL for a new row, whose saved daily count is not loaded yet. */
  countedAt: integer(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    rate_limits: typeof rateLimits
    request_counts: typeof requestCounts
  }
}

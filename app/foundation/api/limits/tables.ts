import { integer, json, optional, table, text } from '../../core/database/table.js'

/** Counts of the limiter by key, and the saved days of `request_counts`. */
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
  /** Running totals at these times; likewise. */
  totals: json<readonly number[]>(),
  /** Since 1970. */
  day: integer(),
  ofDay: integer(),
  /** Limit per day. */
  perDay: integer(),
  /** Number accepted of those counted last. */
  granted: integer(),
  /** In milliseconds; 0 on PostgreSQL where the day that was saved has to be taken over first. */
  countedAt: integer(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    rate_limits: typeof rateLimits
    request_counts: typeof requestCounts
  }
}

import { integer, optional, table, text } from '../../core/database/table.js'

/** What the limiter has counted of each key, and what was saved of the days of `request_counts`. */
export const rateLimits = table('rate_limits', {
  key: text(),
  points: integer(),
  /** In milliseconds; null where it never ends. */
  expire: optional(integer()),
})

/** Accepted requests. On PostgreSQL the table is unlogged: a crash of the server empties it. */
export const requestCounts = table('request_counts', {
  key: text(),
  /** How many at which time of the last second, in milliseconds, as JSON. */
  accepted: text(),
  /** Since 1970. */
  day: integer(),
  ofDay: integer(),
  /** How many of it there may be. */
  perDay: integer(),
  /** How many of those that were counted last. */
  granted: integer(),
  /** In milliseconds. */
  countedAt: integer(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    rate_limits: typeof rateLimits
    request_counts: typeof requestCounts
  }
}

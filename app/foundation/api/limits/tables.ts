import { integer, optional, table, text } from '../../core/database/table.js'

/** What the limiter has counted of each key; its columns are those of its database store. */
export const rateLimits = table('rate_limits', {
  key: text(),
  points: integer(),
  /** In milliseconds; null where it never ends. */
  expire: optional(integer()),
})

/** The last accepted requests of an organization, for the sliding second. */
export const burstWindows = table('burst_windows', {
  key: text(),
  /** Times in milliseconds. */
  accepted: text(),
  /** In milliseconds; the row says nothing after it. */
  expire: integer(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    rate_limits: typeof rateLimits
    burst_windows: typeof burstWindows
  }
}

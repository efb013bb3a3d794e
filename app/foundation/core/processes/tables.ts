import { flag, integer, optional, table, text } from '../database/table.js'

/**
 * Processes that work, where several share a database. The table has no log: after a crash of the
 * database each process is in it again with its next heartbeat. Times are milliseconds since the
 * epoch by the clock of the database, which all of them share.
 */
export const serviceProcesses = table('service_processes', {
  /** The id of one life; a process that was wrongly declared gone begins another. */
  id: text(),
  heardAt: integer(),
  /** Tolerated silence before it is declared gone, in milliseconds. */
  patienceMs: integer(),
  /** Since when others take it for gone: it comes back under no such id. */
  goneAt: optional(integer()),
  /** True if everything it held was handed back. */
  isCleared: flag(),
})

declare module '../database/table.js' {
  interface Tables {
    service_processes: typeof serviceProcesses
  }
}

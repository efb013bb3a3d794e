import { flag, integer, optional, table, text } from '../database/table.js'

/**
 * The working processes, where several share a database. The table is unlogged: after a crash of
 * the database each process adds itself again with its next heartbeat. Times are milliseconds since
 * the epoch by the clock of the database, which all processes share.
 */
export const serviceProcesses = table('service_processes', {
  /** The id of one life; a process that was wrongly declared gone begins another. */
  id: text(),
  heardAt: integer(),
  /** Tolerated silence before it is declared gone, in milliseconds. */
  patienceMs: integer(),
  /** Since when it is declared gone; its process never uses this id again. */
  goneAt: optional(integer()),
  /** True if everything it held was handed back. */
  isCleared: flag(),
})

declare module '../database/table.js' {
  interface Tables {
    service_processes: typeof serviceProcesses
  }
}

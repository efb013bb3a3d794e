/**
 * SQLSTATEs of a PostgreSQL, or a connection to it, that cannot work: it is unreachable, lacks
 * resources, is starting or stopping, ends a session or has an internal failure; a lock took too
 * long, or the server has become read-only.
 */
const STATES = /^(08|53|57P|58|25006|25P03|55P03)/

/** Error codes of the operating system. */
const UNREACHABLE = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * Errors of the driver without a code (after the statement, for the query builder): a connection or
 * an answer that never came.
 */
const UNCODED =
  /(^| - )(Connection terminated|Query read timeout|timeout expired|Client (has encountered|was closed))/

/**
 * Returns whether an error means that the database, or a connection of the pool, is unavailable.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, code, syscall, message } = error as NodeJS.ErrnoException
  if (name === 'KnexTimeoutError') return true
  if (typeof code !== 'string') return UNCODED.test(message)
  if (code.startsWith('SQLITE_BUSY')) return true
  // ENOENT counts for a socket only; otherwise it is about a missing file.
  if (UNREACHABLE.has(code)) return code !== 'ENOENT' || syscall === 'connect'
  return code.length === 5 && STATES.test(code)
}

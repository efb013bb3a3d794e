import env from '#start/env'

const DEFAULT_SECONDS = 10

/** Maximum time after the grace period for recording interrupted work and closing connections. */
const CUT_MS = 5000

/**
 * Returns the grace period: the milliseconds that running work gets to finish when the process is
 * stopped.
 */
export const graceMs = () => (env.get('SHUTDOWN_GRACE') ?? DEFAULT_SECONDS) * 1000

/**
 * Exits the process a little after the grace period in any case, so that an unreachable database
 * cannot keep it alive.
 */
export function endInAnyCase(): void {
  setTimeout(() => {
    console.error('Tarmac was ended: what it waited for did not answer')
    process.exit(1)
  }, graceMs() + CUT_MS).unref()
}

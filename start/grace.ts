import env from '#start/env'

const DEFAULT_SECONDS = 10

/** After the grace what was cut is written down and connections are closed; no longer than this. */
const CUT_MS = 5000

/** Milliseconds that what is under way may take to finish when the process ends. */
export const graceMs = () => (env.get('SHUTDOWN_GRACE') ?? DEFAULT_SECONDS) * 1000

/** Ends the process some time after the grace in any case: a database that is away keeps nobody. */
export function endInAnyCase(): void {
  setTimeout(() => {
    console.error('Tarmac was ended: what it waited for did not answer')
    process.exit(1)
  }, graceMs() + CUT_MS).unref()
}

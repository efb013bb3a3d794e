import env from '#start/env'

const DEFAULT_SECONDS = 10

/** Milliseconds that what is under way may take to finish when the process ends. */
export const graceMs = () => (env.get('SHUTDOWN_GRACE') ?? DEFAULT_SECONDS) * 1000

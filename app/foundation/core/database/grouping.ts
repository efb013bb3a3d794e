/** Maximum number of writes that share one transaction. */
export const MAX_TOGETHER = 32
/** The time for which a shared transaction accepts further writes, in milliseconds. */
export const MAX_MS = 10

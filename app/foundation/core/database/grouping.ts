/** Maximum number of writes that share one transaction. */
export const MOST_TOGETHER = 32
/** The time for which a shared transaction accepts further writes, in milliseconds. */
export const LONGEST_MS = 10

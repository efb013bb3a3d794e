/** Most writes that share one transaction, and for how long it takes in more of them. */
export const MOST_TOGETHER = 32
export const LONGEST_MS = 10

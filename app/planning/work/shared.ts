const SECOND = 1000
export const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The work of planning stays within the service: what fails is tried for half a day. */
export const RETRY = { steps: [10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR] }

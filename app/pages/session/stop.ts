/** The value of `to=` for signing in to stop a rollout: that page says so, and nothing else. */
export const STOP = 'stop'

/** The value of `to=` for signing in to stop a rollout, and on the page that people come back to. */
export const STOP = 'stop'

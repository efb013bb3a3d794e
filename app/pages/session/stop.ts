/** What `to=` says where somebody signs in to stop a rollout, and on the page that they come back to. */
export const STOP = 'stop'

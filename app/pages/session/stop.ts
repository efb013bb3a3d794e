/** What `to=` says where somebody signs in to stop a rollout: that page says so, and nothing else. */
export const STOP = 'stop'

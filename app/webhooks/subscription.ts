/** The subscription of an endpoint. */
export interface Subscription {
  /** Event names, or `*` alone. */
  events: readonly string[]
  /** Null means every app. */
  appIds: readonly string[] | null
  /** Null means every platform. */
  platforms: readonly string[] | null
}

export const EVERY_EVENT = '*'

/** The facts of an event that decide where it goes. */
export interface Addressed {
  type: string
  appId: string | null
  platform: string | null
}

/**
 * Returns whether an endpoint receives an event. An event without an app passes no app or platform
 * filter.
 */
export function wants(subscription: Subscription, event: Addressed): boolean {
  const { events, appIds, platforms } = subscription
  if (!events.includes(EVERY_EVENT) && !events.includes(event.type)) return false
  if (appIds && (event.appId === null || !appIds.includes(event.appId))) return false
  return !platforms || (event.platform !== null && platforms.includes(event.platform))
}

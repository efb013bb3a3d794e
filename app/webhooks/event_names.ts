import { eventCatalog } from '#foundation/core/events/catalog'

/** Returns all webhook events that modules declare. */
export const eventNames = (): string[] => eventCatalog.all().map(({ type }) => type)

/** The type of a ping, which is not an event of the organization. */
export const PING = 'ping'

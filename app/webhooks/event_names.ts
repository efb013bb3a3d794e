import { eventCatalog } from '#foundation/core/events/catalog'

/** Every webhook event that a module declares. */
export const eventNames = (): string[] => eventCatalog.all().map(({ type }) => type)

/** The type of a ping, which is no event of the organization. */
export const PING = 'ping'

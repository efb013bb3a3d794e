import { eventCatalog } from '#foundation/core/events/catalog'

/** Every webhook event that a module declares. */
export const eventNames = (): string[] => eventCatalog.all().map(({ type }) => type)

/** What a ping is called; it is no event of the organization. */
export const PING = 'ping'

import { events as checklists } from '#checklists/events'
import { eventCatalog } from '#foundation/events/catalog'
import { events as releases } from '#releases/events'

/*
 * The webhook events of every module.
 */
for (const events of [releases, checklists]) eventCatalog.add(events)

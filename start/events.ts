import { events as checklists } from '#checklists/events'
import { eventCatalog } from '#foundation/core/events/catalog'
import { events as releases } from '#releases/events'
import { events as coming } from '#webhooks/coming/events'

/*
 * The webhook events of every module.
 */
for (const events of [releases, checklists, coming]) eventCatalog.add(events)

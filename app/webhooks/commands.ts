import { WebhookCreate } from './commands/webhook_create.js'
import { WebhookList } from './commands/webhook_list.js'
import { WebhookDeliveries } from './commands/webhook_deliveries.js'
import { WebhookPing } from './commands/webhook_ping.js'

/** The console commands of the module. */
export const commands = [WebhookCreate, WebhookList, WebhookDeliveries, WebhookPing]

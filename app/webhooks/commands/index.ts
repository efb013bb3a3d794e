import { WebhookCreate } from './webhook_create.js'
import { WebhookDeliveries } from './webhook_deliveries.js'
import { WebhookList } from './webhook_list.js'
import { WebhookPing } from './webhook_ping.js'

export const commands = [WebhookCreate, WebhookList, WebhookPing, WebhookDeliveries]

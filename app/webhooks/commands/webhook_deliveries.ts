import { flags } from '@adonisjs/core/ace'
import type { WebhookDeliveryEntity } from '../entities.js'
import { probeOf } from '../queries/get_delivery.js'
import { getEndpoint } from '../queries/get_endpoint.js'
import { listDeliveries } from '../queries/list_deliveries.js'
import { deliveryEntity } from '../transformers/webhook_entities.js'
import { listDeliveries as deliveryOptions } from '../validators.js'
import { EndpointCommand } from './endpoint_command.js'

const DEFAULT_LIMIT = 50

export class WebhookDeliveries extends EndpointCommand {
  static override commandName = 'webhook:deliveries'
  static override description = 'List the newest deliveries of a webhook endpoint'

  @flags.string({ description: 'Only those pending, succeeded, failed, held or expired' })
  declare status: string | undefined

  @flags.number({ description: 'How many, 50 by default and at most 200' })
  declare limit: number | undefined

  protected async work() {
    const scope = this.reading(await this.ofEndpoint())
    const { status, limit } = await this.checked(deliveryOptions, {
      status: this.status,
      limit: this.limit,
    })
    const endpoint = await getEndpoint(scope, this.endpoint)
    const request = { limit: limit ?? DEFAULT_LIMIT, after: null }
    const rows = await listDeliveries(scope, endpoint, { status }, request)
    const probe = await probeOf(scope, endpoint)
    const document = rows.map((row) => deliveryEntity(row, endpoint, probe))
    return { document, text: document.map(lineOf).join('\n') || 'There is no delivery yet.' }
  }
}

function lineOf(delivery: WebhookDeliveryEntity): string {
  const { id, createdAt, eventType, status, attemptCount } = delivery
  const last = delivery.lastStatusCode ?? delivery.lastErrorClass ?? '-'
  return `${createdAt}  ${id}  ${eventType}  ${status}  attempts ${attemptCount}  last ${last}`
}

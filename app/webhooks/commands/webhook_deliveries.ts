import { flags } from '@adonisjs/core/ace'
import type { WebhookDeliveryEntity } from '../entities.js'
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
    const { status, limit = DEFAULT_LIMIT } = this
    const principal = await this.ofEndpoint()
    const page = await this.execute('listWebhookDeliveries', principal, {
      params: { endpointId: this.endpoint },
      query: { status, limit },
    })
    const { data: document } = page as { data: WebhookDeliveryEntity[] }
    return { document, text: document.map(lineOf).join('\n') || 'There is no delivery yet.' }
  }
}

function lineOf(delivery: WebhookDeliveryEntity): string {
  const { id, createdAt, eventType, status, attemptCount } = delivery
  const last = delivery.lastStatusCode ?? delivery.lastErrorClass ?? '-'
  return `${createdAt}  ${id}  ${eventType}  ${status}  attempts ${attemptCount}  last ${last}`
}

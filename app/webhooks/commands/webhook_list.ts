import { OrganizationCommand } from '#organizations/commands/organization_command'
import type { WebhookEndpointEntity } from '../entities.js'

export class WebhookList extends OrganizationCommand {
  static override commandName = 'webhook:list'
  static override description = 'List the webhook endpoints of an organization'

  protected async work() {
    const requested = await this.execute('listWebhookEndpoints', await this.organizationPrincipal())
    const document = requested as WebhookEndpointEntity[]
    return { document, text: document.map(lineOf).join('\n') || 'There is no endpoint yet.' }
  }
}

function lineOf({ id, status, disabledReason, url, events }: WebhookEndpointEntity): string {
  const state = disabledReason === null ? status : `${status} (${disabledReason})`
  return `${id}  ${state}  ${url}  ${events.join(', ')}`
}

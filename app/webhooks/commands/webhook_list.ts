import { OrganizationCommand } from '#foundation/console/console_command'
import type { WebhookEndpointEntity } from '../entities.js'
import { listEndpoints } from '../queries/get_endpoint.js'
import { endpointEntity } from '../transformers/webhook_entities.js'

export class WebhookList extends OrganizationCommand {
  static override commandName = 'webhook:list'
  static override description = 'List the webhook endpoints of an organization'

  protected async work() {
    const secrets = await this.app.container.make('webhooks.secrets')
    const rows = await listEndpoints(this.reading(await this.ofOrganization()))
    const document = rows.map((row) => endpointEntity(row, secrets, this.clock.now()))
    return { document, text: document.map(lineOf).join('\n') || 'There is no endpoint yet.' }
  }
}

function lineOf({ id, status, disabledReason, url, events }: WebhookEndpointEntity): string {
  const state = disabledReason === null ? status : `${status} (${disabledReason})`
  return `${id}  ${state}  ${url}  ${events.join(', ')}`
}

import { flags } from '@adonisjs/core/ace'
import { ALONE } from '#foundation/core/processes/presence'
import { PingEndpoint } from '../actions/ping_endpoint.js'
import type { Claimed } from '../delivery/claim_deliveries.js'
import { MakeAttempt } from '../delivery/make_attempt.js'
import { SettleAttempts } from '../delivery/settle_attempts.js'
import { getDelivery, listAttempts } from '../queries/get_delivery.js'
import { getEndpoint } from '../queries/get_endpoint.js'
import { attemptEntity } from '../transformers/webhook_entities.js'
import { pingEndpoint } from '../validators.js'
import { EndpointCommand } from './endpoint_command.js'

export class WebhookPing extends EndpointCommand {
  static override commandName = 'webhook:ping'
  static override description =
    'Send a test message to a webhook endpoint and wait for its response'

  @flags.string({ description: 'Send the example of this event type' })
  declare event: string | undefined

  /** Attempts the delivery itself, so that the service need not run. */
  protected async work() {
    const principal = await this.ofEndpoint()
    const { eventType } = await this.checked(pingEndpoint, { eventType: this.event })
    const claimed = await this.inTransaction(principal, async (scope): Promise<Claimed> => {
      const ping = new PingEndpoint(scope)
      const { delivery, claimId } = await ping.claimed(this.endpoint, eventType)
      const endpoint = await getEndpoint(scope, this.endpoint)
      return { claimId, life: ALONE, kind: 'manual', delivery, endpoint }
    })
    await this.#attempt(claimed)

    const scope = this.readScope(principal)
    const delivery = await getDelivery(scope, this.endpoint, claimed.delivery.id)
    const [row] = await listAttempts(scope, delivery.id)
    const attempt = row && attemptEntity(row)
    const { id, event_id: eventId, status } = delivery
    const result = attempt?.statusCode ?? attempt?.errorMessage ?? 'its secret cannot be read'
    return {
      document: { id, endpointId: this.endpoint, eventId, status, attempt: attempt ?? null },
      text: `${status}: ${result}`,
      failed: status !== 'succeeded',
    }
  }

  async #attempt(claimed: Claimed): Promise<void> {
    const { container } = this.app
    const outbound = await container.make('outbound')
    const secrets = await container.make('webhooks.secrets')
    const attempts = new MakeAttempt(this.database, this.clock, outbound, secrets)
    const settling = new SettleAttempts(this.database, this.clock, Math.random)
    await settling.handle({ claimed, outcome: await attempts.handle(claimed) })
  }
}

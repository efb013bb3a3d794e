import type { ApplicationService } from '@adonisjs/core/types'

/** Binds the guarded HTTP client, and the dispatcher that delivers webhooks. */
export default class WebhooksProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    const { container } = this.app
    container.singleton('outbound', async () => {
      const { OutboundClient } = await import('#outbound-client/client')
      const { outbound } = await import('#config/outbound')
      return new OutboundClient(outbound)
    })
    container.singleton('webhooks.secrets', async (resolver) => {
      const { SecretBox } = await import('#foundation/core/secret_box')
      const encryption = await resolver.make('encryption')
      return new SecretBox(encryption.use('webhooks'))
    })
    container.singleton('webhooks.dispatcher', async (resolver) => {
      const { makeDispatcher } = await import('#webhooks/delivery/make_dispatcher')
      return makeDispatcher({
        database: await resolver.make('lucid.db'),
        selects: await resolver.make('selects'),
        clock: await resolver.make('clock'),
        outbound: await resolver.make('outbound'),
        secrets: await resolver.make('webhooks.secrets'),
        logger: await resolver.make('logger'),
        random: Math.random,
        presence: await resolver.make('presence'),
      })
    })
  }
}

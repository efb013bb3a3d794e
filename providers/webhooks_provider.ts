import type { ApplicationService } from '@adonisjs/core/types'
import type { EventListener } from '#webhooks/delivery/event_listener'

/** The guarded client, and the workers that carry events out while the service runs. */
export default class WebhooksProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    const { container } = this.app
    container.singleton('outbound', async () => {
      const { OutboundClient } = await import('#foundation/outbound/client')
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
      })
    })
  }

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode?.() === 'warmup') return
    const dispatcher = await this.app.container.make('webhooks.dispatcher')
    const emitter = await this.app.container.make('emitter')
    const wake = () => dispatcher.wake()
    const quiet = [emitter.on('events:committed', wake), emitter.on('webhooks:due', wake)]
    const listener = await this.#listen(wake)
    dispatcher.start()
    const endings = await this.app.container.make('endings')
    endings.add(async (graceMs) => {
      quiet.forEach((off) => off())
      await Promise.all([listener?.stop(), dispatcher.stop(graceMs)])
    })
  }

  async #listen(wake: () => void): Promise<EventListener | null> {
    const { default: env } = await import('#start/env')
    const url = env.get('DATABASE_URL')
    if (!url) return null
    const { EventListener } = await import('#webhooks/delivery/event_listener')
    const listener = new EventListener(url, wake, await this.app.container.make('logger'))
    await listener.start()
    return listener
  }
}

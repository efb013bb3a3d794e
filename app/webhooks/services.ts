import app from '@adonisjs/core/services/app'
import type { OutboundClient } from '#outbound-client/client'
import type { SecretBox } from '#foundation/core/secret_box'
import type { Dispatcher } from '#webhooks/delivery/dispatcher'

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'outbound': OutboundClient
    'webhooks.secrets': SecretBox
    'webhooks.dispatcher': Dispatcher
  }
}

let outbound: OutboundClient
let secrets: SecretBox
let dispatcher: Dispatcher

/** The services of webhooks, once the application has booted. */
await app.booted(async () => {
  outbound = await app.container.make('outbound')
  secrets = await app.container.make('webhooks.secrets')
  dispatcher = await app.container.make('webhooks.dispatcher')
})

export { dispatcher, outbound, secrets }

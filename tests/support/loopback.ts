import app from '@adonisjs/core/services/app'
import { OutboundClient } from '#outbound-client/client'

/** Lets the service connect to this machine. @returns what ends that */
export async function connectToLoopback(): Promise<() => void> {
  const outbound = await app.container.make('outbound')
  app.container.bindValue('outbound', new OutboundClient({ allowLoopback: true }))
  return () => app.container.bindValue('outbound', outbound)
}

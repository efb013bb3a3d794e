import app from '@adonisjs/core/services/app'
import { OutboundClient } from '#outbound-client/client'

/** Lets the service connect to loopback addresses. @returns a function that forbids it again */
export async function connectToLoopback(): Promise<() => void> {
  const outbound = await app.container.make('outbound')
  app.container.bindValue('outbound', new OutboundClient({ allowLoopback: true }))
  return () => app.container.bindValue('outbound', outbound)
}

import app from '@adonisjs/core/services/app'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { callbackUrl } from '../callbacks/callback_url.js'
import { openConnection } from '../connections/open_connection.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { sealButton, type Button, type ButtonRequest } from './buttons.js'

/**
 * Returns a function that makes buttons of a connection; null if a press could not be handled: the
 * plugin supports none, the service has no public address, or the connection cannot verify who
 * pressed.
 */
export async function buttonMaker(
  scope: Scope,
  connectionId: string
): Promise<((request: ButtonRequest) => Button) | null> {
  if (callbackUrl({ of: 'connection', id: connectionId }) === null) return null
  const secrets = await app.container.make('integrations.secrets')
  try {
    const connection = await findConnection(scope, connectionId)
    const load = pluginOfConnection(connection).interactions
    if (!load) return null
    const { credentials } = await openConnection(scope, secrets, connection)
    const { default: interactions } = await load()
    const arePossible = interactions.arePossible?.(credentials) ?? true
    return arePossible ? (request) => sealButton(secrets, connectionId, request) : null
  } catch (error) {
    // A connection without credentials posts nothing either.
    if (error instanceof Problem) return null
    throw error
  }
}

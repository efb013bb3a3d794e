import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type Connection from '../models/connection.js'
import type { OpenConnection } from '../plugins/plugin_caller.js'
import { openCredentials } from './credentials.js'

/**
 * Returns a connection with its current credentials, in the form that plugins take.
 * @throws credentials_missing, credentials_unreadable
 */
export async function openConnection(
  scope: Scope,
  secrets: SecretBox,
  { id, settings }: Pick<Connection, 'id' | 'settings'>
): Promise<OpenConnection & { stored: { id: string; version: number } }> {
  const { version, credentials } = await openCredentials(scope, secrets, id)
  return { organization: scope.organization, stored: { id, version }, settings, credentials }
}

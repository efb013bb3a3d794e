import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import type { Principal } from '#foundation/core/principal'
import type { SecretBox } from '#foundation/core/secret_box'
import { RecordCheck } from '../actions/record_check.js'
import type Connection from '../models/connection.js'
import type { CheckResult, PluginCaller } from '../plugins/plugin_caller.js'
import { pluginOfConnection } from '../queries/find_connection.js'
import type { ConnectionStatus } from '../vocabulary.js'
import { openConnection } from './open_connection.js'

interface Dependencies {
  unitOfWork: Pick<UnitOfWork, 'readScope' | 'inTransaction'>
  secrets: SecretBox
  caller: PluginCaller
}

/**
 * Tries a connection, and stores the result. The provider is called outside of any transaction.
 * @throws plugin_missing, credentials_missing, credentials_unreadable
 */
export async function tryConnection(
  { unitOfWork, secrets, caller }: Dependencies,
  principal: Principal,
  connection: Pick<Connection, 'id' | 'pluginId' | 'settings'>
): Promise<{ check: CheckResult; status: ConnectionStatus }> {
  const plugin = pluginOfConnection(connection)
  const opened = await openConnection(unitOfWork.readScope(principal), secrets, connection)
  const check = await caller.check(plugin, opened)
  const { status } = await unitOfWork.inTransaction(principal, (scope) =>
    new RecordCheck(scope).handle(connection.id, opened.stored.version, check)
  )
  return { check, status }
}

import { OrganizationCommand } from '#organizations/commands/organization_command'
import type { Principal } from '#foundation/core/principal'
import type { SecretBox } from '#foundation/core/secret_box'
import { RecordCheck } from '../actions/record_check.js'
import { openConnection } from '../connections/open_connection.js'
import { pluginOfConnection } from '../queries/find_connection.js'
import type { CheckResult, PluginCaller } from '../plugins/plugin_caller.js'
import type { ConnectionStatus } from '../vocabulary.js'

/** A connection as it is tried. */
interface TriedConnection {
  id: string
  pluginId: string
  settings: Record<string, unknown>
}

/** The base of commands about an organization's connections. */
export abstract class ProviderCommand extends OrganizationCommand {
  protected secrets(): Promise<SecretBox> {
    return this.app.container.make('integrations.secrets')
  }

  protected caller(): Promise<PluginCaller> {
    return this.app.container.make('integrations.caller')
  }

  /**
   * Tries a connection, and keeps what came of it.
   * @throws plugin_missing, credentials_missing, credentials_unreadable
   */
  protected async tryConnection(
    of: Principal,
    connection: TriedConnection
  ): Promise<{ check: CheckResult; status: ConnectionStatus }> {
    const plugin = pluginOfConnection(connection)
    const opened = await openConnection(this.readScope(of), await this.secrets(), connection)
    const check = await (await this.caller()).check(plugin, opened)
    const { status } = await this.inTransaction(of, (scope) =>
      new RecordCheck(scope).handle(connection.id, opened.stored.version, check)
    )
    return { check, status }
  }
}

import { OrganizationCommand } from '#organizations/commands/organization_command'
import type { Principal } from '#foundation/core/principal'
import type { SecretBox } from '#foundation/core/secret_box'
import { tryConnection } from '../connections/try_connection.js'
import type { PluginCaller } from '../plugins/plugin_caller.js'

/** The base of commands about an organization's connections. */
export abstract class ProviderCommand extends OrganizationCommand {
  protected secrets(): Promise<SecretBox> {
    return this.app.container.make('integrations.secrets')
  }

  protected caller(): Promise<PluginCaller> {
    return this.app.container.make('integrations.caller')
  }

  /**
   * Tries a connection, and stores the result.
   * @throws as `tryConnection` does
   */
  protected async tryConnection(
    principal: Principal,
    connection: Parameters<typeof tryConnection>[2]
  ) {
    const { unitOfWork } = this
    const parts = { unitOfWork, secrets: await this.secrets(), caller: await this.caller() }
    return tryConnection(parts, principal, connection)
  }
}

import { OrganizationCommand } from '#organizations/commands/organization_command'
import type { SecretBox } from '#foundation/core/secret_box'
import type { PluginCaller } from '../plugins/plugin_caller.js'

/** The base of commands about an organization's connections. */
export abstract class ProviderCommand extends OrganizationCommand {
  protected secrets(): Promise<SecretBox> {
    return this.app.container.make('integrations.secrets')
  }

  protected caller(): Promise<PluginCaller> {
    return this.app.container.make('integrations.caller')
  }
}

import type { SecretBox } from '#foundation/core/secret_box'
import type { PluginCaller } from './plugins/plugin_caller.js'

/** What `providers/integrations_provider.ts` binds. */
declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'integrations.secrets': SecretBox
    'integrations.caller': PluginCaller
  }
}

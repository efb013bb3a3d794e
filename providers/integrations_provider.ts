import { configProvider } from '@adonisjs/core'
import { HealthChecks } from '@adonisjs/core/health'
import type { ApplicationService } from '@adonisjs/core/types'
import type { IntegrationsConfig } from '#integrations/define_config'

/** Loads the manifests of the plugins; what they can do is imported when it is first used. */
export default class IntegrationsProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('integrations.secrets', async (resolver) => {
      const { SecretBox } = await import('#foundation/core/secret_box')
      const encryption = await resolver.make('encryption')
      return new SecretBox(encryption.use('credentials'))
    })
    this.app.container.singleton('integrations.caller', async (resolver) => {
      const { PluginCaller } = await import('#integrations/plugins/plugin_caller')
      return new PluginCaller(await resolver.make('clock'), await resolver.make('logger'))
    })
    this.app.container.resolving(HealthChecks, async (health) => {
      const { plugins } = await import('#integrations/plugins/plugin_registry')
      const { PluginsCheck } = await import('#integrations/plugins/plugins_check')
      health.append([new PluginsCheck(plugins)])
    })
  }

  /** A broken plugin costs its own integrations, and never the start of the service. */
  async boot() {
    const given = this.app.config.get('integrations')
    const config = await configProvider.resolve<IntegrationsConfig>(this.app, given)
    if (!config) throw new Error('config/integrations.ts has to export what defineConfig gives.')
    const { plugins } = await import('#integrations/plugins/plugin_registry')
    const disabled = await plugins.load(config.plugins)
    if (disabled.length === 0) return
    const logger = await this.app.container.make('logger')
    for (const { name, problems } of disabled) {
      logger.warn({ plugin: name, problems }, 'a plugin is disabled')
    }
  }
}

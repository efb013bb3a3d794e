import { BaseCheck, Result } from '@adonisjs/core/health'
import type { PluginRegistry } from './plugin_registry.js'

/** Names the plugins that are disabled; a warning, since the service works without them. */
export class PluginsCheck extends BaseCheck {
  override name = 'plugins of integration providers'

  constructor(private readonly plugins: PluginRegistry) {
    super()
  }

  async run(): Promise<Result> {
    const names = this.plugins.disabled.map(({ name }) => name)
    return names.length === 0
      ? Result.ok(`${this.plugins.all.length} run`)
      : Result.warning(`Disabled: ${names.join(', ')}. The log and provider:plugins say why.`)
  }
}

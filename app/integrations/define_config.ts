import { configProvider } from '@adonisjs/core'
import type { ConfigProvider } from '@adonisjs/core/types'
import type { Plugin } from '#plugin-kit/plugin'

/** Imports the entry of a plugin: its manifest, and nothing of what it can do. */
export type PluginImport = () => Promise<{ default: Plugin }>

export interface IntegrationsConfig {
  /** By a name that logs and reports call it, should it be broken. */
  plugins: Readonly<Record<string, PluginImport>>
}

/** `config/integrations.ts`: the plugins that run, each imported lazily. */
export function defineConfig(config: IntegrationsConfig): ConfigProvider<IntegrationsConfig> {
  return configProvider.create(async () => config)
}

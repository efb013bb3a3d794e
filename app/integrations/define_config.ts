import { configProvider } from '@adonisjs/core'
import type { ConfigProvider } from '@adonisjs/core/types'
import type { Plugin } from '#plugin-kit/plugin'
import type { HttpOverrides } from '#provider-port/http_options'

/** Imports the entry of a plugin: its manifest, and nothing of what it can do. */
type PluginImport = () => Promise<{ default: Plugin }>

export interface IntegrationsConfig {
  /** Keyed by the name that logs and reports use for a plugin that cannot be loaded. */
  plugins: Readonly<Record<string, PluginImport>>
  /**
   * Deviations from the defaults: 30 s, 3 attempts, a breaker that opens for 30 s after 5 failures.
   */
  http?: HttpOverrides
}

/** Defines `config/integrations.ts`: the plugins that run, each imported lazily. */
export function defineConfig(config: IntegrationsConfig): ConfigProvider<IntegrationsConfig> {
  return configProvider.create(async () => config)
}

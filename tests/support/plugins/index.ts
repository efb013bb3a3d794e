import type { IntegrationsConfig } from '#integrations/define_config'
import { plugins } from '#integrations/plugins/plugin_registry'
import { paper, paperFlags } from './paper.js'

/** The plugins that are loaded in every test. */
const TEST_PLUGINS: IntegrationsConfig['plugins'] = {
  'memory': () => import('./memory.js'),
  'git': () => import('#integrations/providers/git/plugin'),
  'sim': () => import('#simulation/provider/plugin'),
  'sim-apple': () => import('#simulation/provider/app_store/plugin'),
  'sim-git': () => import('#simulation/provider/git_host/plugin'),
  'sim-google': () => import('#simulation/provider/google_play/plugin'),
  'paper': async () => ({ default: paper }),
  'paper-flags': async () => ({ default: paperFlags }),
  'generic-ci': () => import('#integrations/providers/generic/ci'),
  'generic-analytics': () => import('#integrations/providers/generic/analytics'),
}

/** Loads the plugins of tests, and given ones, in place of the configured plugins. */
export async function loadTestPlugins(others: IntegrationsConfig['plugins'] = {}) {
  return plugins.load({ ...TEST_PLUGINS, ...others })
}

import { defineConfig } from '#integrations/define_config'

/**
 * The plugins of integration providers, as `github: () => import('…')`; docs/operating.md tells
 * more. What is not listed here does not run.
 */
export default defineConfig({
  plugins: {},
})

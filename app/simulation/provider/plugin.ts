import { definePlugin } from '#plugin-kit/plugin'
import { manifest } from './manifest.js'

/** A world of its own for an organization, behind the port like any provider. */
export default definePlugin({
  manifest,
  lifecycle: () => import('./lifecycle.js'),
  capabilities: { ci: () => import('./capabilities/ci.js') },
})

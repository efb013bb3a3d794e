import { definePlugin } from '#plugin-kit/plugin'
import { manifest } from './manifest.js'

export default definePlugin({
  manifest,
  lifecycle: () => import('./lifecycle.js'),
  capabilities: { versionControl: () => import('./capabilities/version_control.js') },
  conformance: new URL('conformance.json', import.meta.url),
})

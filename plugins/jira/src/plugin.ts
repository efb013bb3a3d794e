import { definePlugin } from '@tarmac/plugin-kit'
import { manifest } from './manifest.js'

export default definePlugin({
  manifest,
  lifecycle: () => import('./lifecycle.js'),
  webhooks: () => import('./webhooks.js'),
  conformance: new URL('conformance.json', import.meta.url),
  capabilities: {
    issueTracking: () => import('./capabilities/issues.js'),
  },
})

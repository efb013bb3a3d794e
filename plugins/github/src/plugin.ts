import { definePlugin } from '@tarmac/plugin-kit'
import { manifest } from './manifest.js'

export default definePlugin({
  manifest,
  lifecycle: () => import('./lifecycle.js'),
  webhooks: () => import('./webhooks.js'),
  setup: () => import('./setup.js'),
  conformance: new URL('conformance.json', import.meta.url),
  capabilities: {
    versionControl: () => import('./capabilities/version_control.js'),
    ci: () => import('./capabilities/actions.js'),
    issueTracking: () => import('./capabilities/issues.js'),
  },
})

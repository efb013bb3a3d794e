import { definePlugin } from '@tarmac/plugin-kit'
import { manifest } from './manifest.js'

export default definePlugin({
  manifest,
  lifecycle: () => import('./lifecycle.js'),
  webhooks: () => import('./webhooks.js'),
  interactions: () => import('./interactions.js'),
  setup: () => import('./setup.js'),
  conformance: new URL('conformance.json', import.meta.url),
  capabilities: { chat: () => import('./capabilities/chat.js') },
})

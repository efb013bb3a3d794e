import { definePlugin } from '@tarmac/plugin-kit'
import { manifest } from './manifest.js'

export default definePlugin({
  manifest,
  lifecycle: () => import('./lifecycle.js'),
  conformance: new URL('conformance.json', import.meta.url),
  capabilities: {
    chat: () => import('./capabilities/chat.js'),
  },
})

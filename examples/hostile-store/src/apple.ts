import { definePlugin } from '@tarmac/plugin-kit'
import { apple } from './port/manifests.js'

export default definePlugin({
  manifest: apple,
  lifecycle: () => import('./port/lifecycle.js'),
  capabilities: { appStore: () => import('./port/apple_capability.js') },
})

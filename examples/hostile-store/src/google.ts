import { definePlugin } from '@tarmac/plugin-kit'
import { google } from './port/manifests.js'

export default definePlugin({
  manifest: google,
  lifecycle: () => import('./port/lifecycle.js'),
  capabilities: { appStore: () => import('./port/google_capability.js') },
})

import { definePlugin } from '@tarmac/plugin-kit'
import { manifest } from './manifest.js'

export default definePlugin({
  manifest,
  lifecycle: () => import('./lifecycle.js'),
  conformance: new URL('conformance.json', import.meta.url),
  capabilities: {
    appStore: () => import('./capabilities/google_play.js'),
    betaTesting: () => import('./capabilities/testing_tracks.js'),
    crashMonitoring: () => import('./capabilities/vitals.js'),
  },
})

import { definePlugin } from '#plugin-kit/plugin'
import { worldManifest } from '../shared/world_manifest.js'

const manifest = worldManifest({
  id: 'sim-apple',
  aliases: ['simulated-app-store'],
  name: 'Simulated App Store',
  capabilities: {
    appStore: {
      type: 'sim-apple',
      platforms: ['ios'],
      features: ['release', 'replyToReview', 'listReviewFiles', 'addReviewFile'],
    },
    betaTesting: { type: 'sim-apple-beta', platforms: ['ios'], features: [] },
  },
})

/** The App Store of a world, and TestFlight. */
export default definePlugin({
  manifest,
  lifecycle: () => import('../lifecycle.js'),
  capabilities: {
    appStore: () => import('./app_store.js'),
    betaTesting: () => import('./beta_testing.js'),
  },
})

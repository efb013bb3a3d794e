import { definePlugin } from '#plugin-kit/plugin'
import { worldManifest } from '../shared/world_manifest.js'

const manifest = worldManifest({
  id: 'sim-google',
  aliases: ['simulated-google-play'],
  name: 'Simulated Google Play',
  capabilities: {
    appStore: { type: 'sim-google', platforms: ['android'], features: ['replyToReview'] },
    betaTesting: { type: 'sim-google-beta', platforms: ['android'], features: [] },
  },
})

/** The Google Play of a world, and its testing tracks. */
export default definePlugin({
  manifest,
  lifecycle: () => import('../lifecycle.js'),
  capabilities: {
    appStore: () => import('./google_play.js'),
    betaTesting: () => import('./testing_tracks.js'),
  },
})

import { inboundPlugin } from './inbound_plugin.js'

/** Observability of the app's own, which sends its numbers here. */
export default inboundPlugin('generic-analytics', 'Custom observability', {
  customObservability: { type: 'generic-analytics', features: [] },
})

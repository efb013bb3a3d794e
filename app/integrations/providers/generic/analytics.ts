import { inboundPlugin } from './inbound_plugin.js'

/** Custom observability, which sends its numbers to the service. */
export default inboundPlugin('generic-analytics', 'Custom observability', {
  customObservability: { type: 'generic-analytics', features: [] },
})

import { inboundPlugin } from './inbound_plugin.js'

/** A custom CI system, which sends its builds to the service. */
export default inboundPlugin('generic-ci', 'Custom CI', {
  customCi: { type: 'generic-ci', features: [] },
})

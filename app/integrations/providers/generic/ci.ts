import { inboundPlugin } from './inbound_plugin.js'

/** CI of the app's own, which sends its builds here. */
export default inboundPlugin('generic-ci', 'Custom CI', {
  customCi: { type: 'generic-ci', features: [] },
})

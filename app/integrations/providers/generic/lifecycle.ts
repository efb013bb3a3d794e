import type { Lifecycle } from '#plugin-kit/plugin'

/** Makes no call, because the data is sent to this service. */
const lifecycle: Lifecycle = {
  check: async () => ({ account: 'this service', missingPermissions: [] }),
}

export default lifecycle

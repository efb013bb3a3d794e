import type { Lifecycle } from '#plugin-kit/plugin'

/** Nobody is asked: what these are connected with is this service. */
const lifecycle: Lifecycle = {
  check: async () => ({ account: 'this service', missingPermissions: [] }),
}

export default lifecycle

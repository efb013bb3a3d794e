import { ProviderError, type Lifecycle } from '@tarmac/plugin-kit'
import { worldOf } from './world.js'

const lifecycle: Lifecycle = {
  async check({ connection, secret }) {
    const world = worldOf(connection.world)
    if (!world?.accepts(secret('token'))) {
      throw new ProviderError('unauthorized', 'The token is not known', { outcome: 'notApplied' })
    }
    return { account: String(connection.world), missingPermissions: [] }
  },
}

export default lifecycle

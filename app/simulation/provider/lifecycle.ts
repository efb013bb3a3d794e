import type { Lifecycle } from '#plugin-kit/plugin'
import { describeError } from './shared/refusals.js'

const lifecycle: Lifecycle = {
  async check({ http }) {
    const { body } = await http.send<{ seed: string }>({ method: 'GET', path: '/v1/me' })
    return { account: `the world of seed ${body.seed}`, missingPermissions: [] }
  },
  describeError,
}

export default lifecycle

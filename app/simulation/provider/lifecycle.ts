import type { Lifecycle } from '#plugin-kit/plugin'

const lifecycle: Lifecycle = {
  async check({ http }) {
    const { body } = await http.send<{ seed: string }>({ method: 'GET', path: '/v1/me' })
    return { account: `the world of seed ${body.seed}`, missingPermissions: [] }
  },
}

export default lifecycle

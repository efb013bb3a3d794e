import type { Lifecycle } from '#plugin-kit/index'
import { describeError } from './errors.js'
import { meIn } from './mapping.js'

/** Scopes that a token needs. */
const SCOPES = ['read', 'write']

const lifecycle: Lifecycle = {
  async check({ http }) {
    const { body } = await http.send({ method: 'GET', path: '/v1/me' })
    const { team, scopes } = meIn(body)
    return { account: team, missingPermissions: SCOPES.filter((each) => !scopes.includes(each)) }
  },
  describeError,
}

export default lifecycle

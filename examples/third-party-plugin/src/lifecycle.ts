import type { Lifecycle } from '@tarmac/plugin-kit'
import { describeError } from './errors.js'
import { meIn } from './mapping.js'

/** Scopes that a token needs. */
const SCOPES = ['channels:read', 'messages:write']

const lifecycle: Lifecycle = {
  async check({ http }) {
    const { body } = await http.send({ method: 'GET', path: '/v1/me' })
    const { team, scopes } = meIn(body)
    return { account: team, missingPermissions: SCOPES.filter((each) => !scopes.includes(each)) }
  },
  describeError,
}

export default lifecycle

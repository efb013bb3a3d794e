import type { Lifecycle } from '@tarmac/plugin-kit'
import { describeError } from './errors.js'
import { SCOPES } from './manifest.js'
import { Slack } from './slack.js'

const lifecycle: Lifecycle = {
  /** Slack reports the scopes of a token with each response. */
  async check(ctx) {
    const {
      team,
      user,
      response_metadata: metadata,
    } = await new Slack(ctx).call((client) => client.auth.test())
    const scopes = metadata?.scopes ?? []
    return {
      account: `${team ?? 'A workspace'} (as ${user ?? 'an app'})`,
      missingPermissions: SCOPES.filter((each) => !scopes.includes(each)),
    }
  },
  describeError,
}

export default lifecycle

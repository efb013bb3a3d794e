import type { Lifecycle } from '@tarmac/plugin-kit'
import { AppStoreConnect } from './api.js'
import { describeError } from './errors.js'

const lifecycle: Lifecycle = {
  /**
   * One call. Apple does not reveal the role of a key, so a missing permission shows only when a
   * call is refused.
   */
  async check(ctx) {
    const { data, meta } = await new AppStoreConnect(ctx).read('/v1/apps', null, {
      'fields[apps]': ['bundleId'],
      'limit': 2,
    })
    const count = meta?.paging.total ?? data.length
    const [first] = data
    const apps = count === 1 ? (first?.attributes?.bundleId ?? '1 app') : `${count} apps`
    const kind = ctx.secret('issuerId') === undefined ? 'key of a person' : 'team key'
    return {
      account: `${apps} (${kind}; its role is not known until first used)`,
      missingPermissions: [],
    }
  },
  describeError,
}

export default lifecycle

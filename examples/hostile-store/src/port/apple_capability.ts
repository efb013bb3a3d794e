import type { Mutation, PluginContext, StoreVersion } from '@tarmac/plugin-kit'
import { nameIn, StoreCapability } from './store_capability.js'

export default class AppleCapability extends StoreCapability {
  constructor(ctx: PluginContext) {
    super(ctx, 'apple')
  }

  async release(versionId: string, { idempotencyKey }: Mutation): Promise<StoreVersion> {
    const call = { method: 'release', version: nameIn(versionId) } as const
    return (await this.requests.call(call, idempotencyKey)).after
  }
}

import type { PluginContext } from '@tarmac/plugin-kit'
import { StoreCapability } from './store_capability.js'

export default class GoogleCapability extends StoreCapability {
  constructor(ctx: PluginContext) {
    super(ctx, 'google')
  }
}

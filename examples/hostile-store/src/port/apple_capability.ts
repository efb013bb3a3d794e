import type { PluginContext } from '@tarmac/plugin-kit'
import { StoreCapability } from './store_capability.js'

export default class AppleCapability extends StoreCapability {
  constructor(ctx: PluginContext) {
    super(ctx, 'apple')
  }
}

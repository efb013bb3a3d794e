import { AppleStore } from './apple_store.js'
import { GoogleStore } from './google_store.js'
import type { HostileStore } from './store.js'
import type { StoreOptions } from './vocabulary.js'

/** Makes the store of a vendor. */
export function hostileStore(options: StoreOptions): HostileStore {
  return options.kind === 'google' ? new GoogleStore(options) : new AppleStore(options)
}

export { PAUSE_DAYS, PHASES } from './phased_releases.js'
export { draw, randomFrom, type Random } from './random.js'
export { Refusal } from './refusal.js'
export { instant, type ShownVersion } from './shown.js'
export { momentAt, type Answer, type HostileStore } from './store.js'
export type * from './vocabulary.js'

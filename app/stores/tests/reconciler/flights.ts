import type { Random } from '../../../../examples/hostile-store/src/core/index.js'
import { ProviderError } from '#plugin-kit/provider_error'
import type { Flight } from './journal.js'

/* Calls on their way between a system and a store. */

/** Returns whether a call may still reach the store. */
export const mayArrive = ({ arrived, isDropped }: Flight) => !arrived && !isDropped
/** Returns whether the system waits for the answer to a call. */
export const isAwaited = ({ ended, isOrphan }: Flight) => !ended && !isOrphan
export const isOpen = (flight: Flight) => mayArrive(flight) || isAwaited(flight)

/** Draws one of some items. */
export function some<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[Math.floor(random() * items.length)]
}

/** Returns the answer to a call that was not applied. */
export function failure(
  code: ProviderError['code'],
  message: string,
  detail: Partial<ProviderError['detail']> = {}
): { error: ProviderError } {
  return { error: new ProviderError(code, message, { outcome: 'notApplied', ...detail }) }
}

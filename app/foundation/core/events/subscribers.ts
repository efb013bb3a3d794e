import { ExtensionPoint } from '../extension_point.js'
import type { Scope } from '../scope.js'
import type { EventDraft } from './outbox.js'

/**
 * Plans what follows from events, in the transaction that records them and before they are
 * written. It is asked once per transaction, with all of them; what it records itself is
 * followed by nobody.
 */
export interface EventSubscriber {
  follow(scope: Scope, recorded: readonly EventDraft[]): Promise<void>
}

export const eventSubscribers = new ExtensionPoint<EventSubscriber>()

import { ExtensionPoint } from '../extension_point.js'
import type { Scope } from '../scope.js'
import type { EventDraft } from './outbox.js'

/**
 * Plans what follows from events, in the transaction that records them and before they are
 * written. It is called once per transaction, with all events; subscribers do not see the events
 * that they record themselves.
 */
export interface EventSubscriber {
  handle(scope: Scope, recorded: readonly EventDraft[]): Promise<void>
}

export const eventSubscribers = new ExtensionPoint<EventSubscriber>()

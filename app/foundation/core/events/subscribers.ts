import { ExtensionPoint } from '../extension_point.js'
import type { Scope } from '../scope.js'
import type { EventDraft } from './outbox.js'

/** Reacts to events, in the transaction that records them and before they are written. */
export interface EventSubscriber {
  /** Called once per transaction with its events, except those that subscribers record. */
  handle(scope: Scope, recorded: readonly EventDraft[]): Promise<void>
}

export const eventSubscribers = new ExtensionPoint<EventSubscriber>()

import type { EventDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'

/**
 * Records an event in the timeline of an app. An app outlives its releases, so events that belong
 * to none of them are stored with the app.
 */
export function recordAppEvent(
  scope: Scope,
  appId: string,
  input: Pick<EventDraft, 'type' | 'title' | 'actor' | 'data'>
): void {
  scope.events.record({ ...input, entityKey: `app:${appId}`, appId })
}

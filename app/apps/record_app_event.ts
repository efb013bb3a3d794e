import type { EventDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'

/**
 * Records for the timeline of an app what was done to it, or became of it: an app outlives its
 * releases, and what belongs to none of them has its place here.
 */
export function recordAppEvent(
  scope: Scope,
  appId: string,
  input: Pick<EventDraft, 'type' | 'title' | 'actor' | 'data'>
): void {
  scope.events.record({ ...input, entityKey: `app:${appId}`, appId })
}

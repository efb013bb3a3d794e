import { isDeepStrictEqual } from 'node:util'
import type { EventDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import { releaseStandings } from '#releases/queries/release_standings'
import type { PlannedChange } from '../plan.js'

/**
 * Returns the effects of an app's change on its releases, by rehearsing the change. A release is
 * listed when its state changes, or when an event is sent for it.
 */
export async function planReach(
  scope: Scope,
  appId: string,
  carryOut: (rehearsal: Scope) => Promise<void>
): Promise<PlannedChange[]> {
  const { result, recorded } = await scope.rehearse(async (rehearsal) => {
    const before = await releaseStandings(rehearsal, appId)
    await carryOut(rehearsal)
    return async () => ({
      before,
      after: await releaseStandings(rehearsal, appId, [...before.keys()]),
    })
  })
  const events = sentByRelease(recorded)
  return [...result.before].flatMap(([id, { publicId: releaseId, standing: from }]) => {
    const sent = events.get(id) ?? []
    const to = result.after.get(id)!.standing
    if (sent.length === 0 && isDeepStrictEqual(from, to)) return []
    const effect =
      sent.length === 0
        ? 'The release follows; nothing is sent'
        : `The release follows, and this is sent: ${sent.join(', ')}`
    const path = `releases[${releaseId}]`
    return [{ op: 'change' as const, path, from, to, effect, releaseId, events: sent }]
  })
}

/** Returns the types of the webhook events of each release, in order. */
function sentByRelease(recorded: readonly EventDraft[]): Map<string, string[]> {
  const sent = new Map<string, string[]>()
  for (const { type, releaseId, webhook } of recorded) {
    if (releaseId === undefined || webhook === undefined) continue
    sent.set(releaseId, [...(sent.get(releaseId) ?? []), type])
  }
  return sent
}

import { seenTicketTitle } from '#features/queries/known_words'
import { spelledKey } from '#features/ticket_keys'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider, isProviderError } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import { inTime } from '../code/in_time.js'

/**
 * Returns whether every issue tracker of an app reported in time that it has no ticket of a key.
 * False without a tracker, without an answer, or if the ticket was seen before.
 */
export async function isUnknownTicket(
  scope: Scope,
  appId: string,
  key: string,
  timeoutMs: number
): Promise<boolean> {
  const trackers = await integrationsOfKind(scope, appId, 'issueTracking')
  if (trackers.length === 0 || (await seenTicketTitle(scope, appId, key)) !== null) return false
  const signal = AbortSignal.timeout(timeoutMs)
  for (const integration of trackers) {
    const { projects = [] } = integration.data as { projects?: string[] }
    try {
      const asking = askProvider(scope, { integration, kind: 'issueTracking', signal }, (issues) =>
        issues.get(spelledKey(key, projects))
      )
      if ((await inTime(asking, signal)) !== null) return false
    } catch (error) {
      if (!(error instanceof Problem) && !isProviderError(error)) throw error
      return false
    }
  }
  return true
}

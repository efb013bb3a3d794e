import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider, isProviderError } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'

/** The time limit for the request, in milliseconds: the message waits for its answer. */
const TIMEOUT = 10_000

/**
 * Returns the people on call for an app now, by its first integration with a schedule: the e-mail
 * address, or else the name. Null if nobody is on call, or the provider fails.
 */
export async function onCallFor(
  scope: Scope,
  appId: string,
  signal: AbortSignal
): Promise<string[] | null> {
  const all = await integrationsOfKind(scope, appId, 'onCall')
  const integration = all.find(({ data }) => typeof data.scheduleId === 'string')
  if (!integration) return null
  const scheduleId = String(integration.data.scheduleId)
  const until = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)])
  try {
    const request = { integration, kind: 'onCall', signal: until } as const
    const people = await askProvider(scope, request, (onCall) =>
      onCall.whoIsOnCall(scheduleId, scope.now)
    )
    return people.length === 0 ? null : people.map(({ email, name }) => email ?? name)
  } catch (error) {
    // The message mentions its default people instead.
    if (error instanceof Problem || isProviderError(error) || until.aborted) return null
    throw error
  }
}

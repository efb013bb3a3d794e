import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider, isProviderError } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'

/** The time limit for asking who is on call, in milliseconds: the message waits for the answer. */
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
    const requested = { integration, kind: 'onCall', signal: until } as const
    const people = await askProvider(scope, requested, (onCall) =>
      onCall.whoIsOnCall(scheduleId, scope.now)
    )
    return people.length === 0 ? null : people.map(({ email, name }) => email ?? name)
  } catch (error) {
    // The people whom the message names are called instead.
    if (error instanceof Problem || isProviderError(error) || until.aborted) return null
    throw error
  }
}

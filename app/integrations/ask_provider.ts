import app from '@adonisjs/core/services/app'
import { Problem, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { Kind } from '#plugin-kit/kinds'
import { isProviderError, type ProviderError } from '#plugin-kit/provider_error'
import { useIntegration } from './use_integration.js'

export { isProviderError }

/** Identifies the integration to call. */
interface ProviderQuestion<Each extends Kind> {
  integration: { id: string; connectionId: string }
  kind: Each
  signal: AbortSignal
  /** True if a person or an API client waits for the answer; by default, `isPersonal` of the scope. */
  isForPerson?: boolean
}

/** Returns whether a person or an API client waits for the answer; false for background work. */
export function isPersonal({ actor }: Pick<Scope, 'actor'>): boolean {
  return actor.type === 'user' || actor.type === 'apiKey'
}

/**
 * Calls a provider for the requester, outside of any transaction.
 * @throws provider_error with the connection, the reason and whether the call was applied; also
 * everything that `useIntegration` throws
 */
export async function askProvider<Each extends Kind, Result>(
  scope: Scope,
  { integration, kind, signal, isForPerson = isPersonal(scope) }: ProviderQuestion<Each>,
  ask: (capability: CapabilityMap[Each]) => Promise<Result>
): Promise<Result> {
  const services = {
    secrets: await app.container.make('integrations.secrets'),
    caller: await app.container.make('integrations.caller'),
  }
  const wanted = { integrationId: integration.id, kind, signal, isForPerson }
  const capability = await useIntegration(scope, services, wanted)
  try {
    return await ask(capability)
  } catch (error) {
    throw isProviderError(error) ? providerProblem(integration.connectionId, error) : error
  }
}

/** Returns the result of a read; null if the app no longer has the integration. */
export async function unlessGone<Look>(look: () => Promise<Look>): Promise<Look | null> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null
    throw error
  }
}

/** Converts a provider's failure to a problem of the service. */
export function providerProblem(provider: string, error: ProviderError): Problem {
  const { outcome, retryAfterMs, action, raw } = error.detail
  const seconds = retryAfterMs === undefined ? null : Math.max(1, Math.ceil(retryAfterMs / 1000))
  return refuse('provider_error', {
    detail: `${provider}: ${error.message}`,
    members: {
      provider,
      reason: error.code,
      outcome,
      ...(action === undefined ? {} : { action }),
      ...(raw === undefined ? {} : { raw }),
    },
    retryAfter: seconds,
    cause: error,
  })
}

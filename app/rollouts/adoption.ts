import { earlier, later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'

/** The share of users that had a version in the day before a time, from 0 to 1. */
export interface Adoption {
  share: number
  at: Instant
}

/** The span of a share in milliseconds: a whole day, because users come at all hours. */
const SPAN = 24 * HOUR

/**
 * Asks the first product analytics of an app how many users have a version, at most once an hour.
 * Returns null if none answers; a failure does not disturb other measurements.
 */
export async function askAdoption(
  scope: Scope,
  { appId, version }: { appId: string; version: string },
  { last, signal }: { last: Adoption | null; signal: AbortSignal }
): Promise<Adoption | null> {
  const { now } = scope
  if (last !== null && later(last.at, HOUR) > now) return null
  const kind = 'productAnalytics'
  const [integration] = (await integrationsOfKind(scope, appId, kind)).filter(
    ({ type }) => type !== 'generic-analytics'
  )
  if (!integration) return null
  try {
    const reported = await askProvider(scope, { integration, kind, signal }, async (analytics) =>
      analytics.adoption?.(version, earlier(now, SPAN), now)
    )
    return reported ? { share: Math.min(1, Math.max(0, reported.share)), at: now } : null
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

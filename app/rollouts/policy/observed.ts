import type { MetricSource } from '../vocabulary.js'

/** Returns the sources of metrics that the integrations of an app provide. Pure. */
export function observedBy(
  integrations: readonly { kind: string; type: string }[]
): ReadonlySet<MetricSource> {
  return new Set(integrations.flatMap(({ kind, type }) => sourceOf(kind, type) ?? []))
}

/** Names of crash monitoring that counts only users, by the type of integration. */
const USERS_ONLY: ReadonlyMap<string, string> = new Map([['google-vitals', 'Android vitals']])

/** Returns the type of the crash monitoring that a guard asks: the first one of an app. Pure. */
export const crashMonitorOf = (
  integrations: readonly { kind: string; type: string }[]
): string | null => integrations.find(({ kind }) => kind === 'crashMonitoring')?.type ?? null

/** Returns whether crash monitoring of a type counts only users, and no sessions. Pure. */
export const countsUsersAlone = (type: string | null): boolean =>
  type !== null && USERS_ONLY.has(type)

/** Returns the name of a provider of counts for people, by the type of its integration. Pure. */
export const sourceName = (type: string | null): string =>
  (type !== null && USERS_ONLY.get(type)) || (type ?? 'The provider')

function sourceOf(kind: string, type: string): MetricSource | null {
  if (type === 'generic-analytics') return 'events'
  if (kind === 'crashMonitoring' || kind === 'productAnalytics') return kind
  return kind === 'appStore' ? 'appReviews' : null
}

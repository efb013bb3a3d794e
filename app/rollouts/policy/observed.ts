import type { MetricSource } from '../vocabulary.js'

/** What a guard could look at with some integrations of an app. Pure. */
export function observedBy(
  integrations: readonly { kind: string; type: string }[]
): ReadonlySet<MetricSource> {
  return new Set(integrations.flatMap(({ kind, type }) => sourceOf(kind, type) ?? []))
}

function sourceOf(kind: string, type: string): MetricSource | null {
  if (type === 'generic-analytics') return 'events'
  if (kind === 'crashMonitoring' || kind === 'productAnalytics') return kind
  return kind === 'appStore' ? 'appReviews' : null
}

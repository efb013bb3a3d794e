import type { MetricSource } from '../vocabulary.js'

/** Returns the sources of metrics that some integrations of an app provide. Pure. */
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

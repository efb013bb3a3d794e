import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { Sample } from './guard/judge.js'
import type { GuardMetric, RolloutPolicy } from './policy/policy.js'
import type { Window, Windows } from './queries/windows.js'

type CrashMetric = Extract<GuardMetric, { source: 'crashMonitoring' }>
type AskedMetric = Extract<GuardMetric, { source: 'crashMonitoring' | 'productAnalytics' }>

/** What providers tell of one metric. */
export interface MeasuredMetric {
  metric: string
  current: Sample
  baseline: Sample | null
}

/** Whether a provider is asked for a metric, rather than that it is told here. */
export const isAsked = (metric: GuardMetric): metric is AskedMetric =>
  metric.source === 'crashMonitoring' || metric.source === 'productAnalytics'

/** The metrics of a policy that providers are asked for. */
export const askedMetrics = (policy: RolloutPolicy | null): AskedMetric[] =>
  (policy?.guard?.metrics ?? []).filter(isAsked)

/**
 * Asks the first integration of each kind for the metrics of a guard, outside of any transaction.
 * What an app has no integration of is told by nobody.
 * @throws what `askProvider` throws
 */
export async function measure(
  scope: Scope,
  appId: string,
  metrics: readonly AskedMetric[],
  { current, baseline }: Windows,
  signal: AbortSignal
): Promise<MeasuredMetric[]> {
  const told: MeasuredMetric[] = []
  for (const source of new Set(metrics.map((metric) => metric.source))) {
    const [integration] = (await integrationsOfKind(scope, appId, source)).filter(
      ({ type }) => type !== 'generic-analytics'
    )
    if (!integration) continue
    const own = metrics.filter((metric) => metric.source === source)
    const environment = integration.data.prodEnvironmentIdentifier
    const asked = { integration, kind: source, signal } as const
    const sampled = await askProvider(scope, asked, async (capability) => {
      const all: MeasuredMetric[] = []
      const at = typeof environment === 'string' ? { environment } : {}
      for (const metric of own) {
        const sampleOf = (window: Window) => sample(capability, metric, { ...window, ...at })
        all.push({
          metric: metric.name,
          current: await sampleOf(current),
          baseline: baseline && (await sampleOf(baseline)),
        })
      }
      return all
    })
    told.push(...sampled)
  }
  return told
}

type Monitor = CapabilityMap['crashMonitoring'] | CapabilityMap['productAnalytics']

function sample(
  capability: Monitor,
  metric: AskedMetric,
  window: Window & { environment?: string }
): Promise<Sample> {
  return 'measure' in metric
    ? ofCrashes(capability as CapabilityMap['crashMonitoring'], metric, window)
    : ofEvents(capability as CapabilityMap['productAnalytics'], metric, window)
}

async function ofCrashes(
  monitor: CapabilityMap['crashMonitoring'],
  { measure: what }: CrashMetric,
  { version, from, to, environment }: Window & { environment?: string }
): Promise<Sample> {
  const health = await monitor.health({ version, from, to, ...(environment && { environment }) })
  const { sessions = 0, users = 0, events = 0 } = health
  switch (what) {
    case 'crashFreeSessions':
      return sampleOf(sessions, health.crashFreeSessions)
    case 'crashFreeUsers':
      return sampleOf(users, health.crashFreeUsers)
    case 'crashes':
      return whole(sessions, events)
  }
}

/** A share that nobody tells counts for nothing. */
const sampleOf = (of: number, free: number | undefined): Sample =>
  free === undefined ? { of: 0, bad: 0 } : whole(of, of * (1 - Math.min(1, Math.max(0, free))))

async function ofEvents(
  analytics: CapabilityMap['productAnalytics'],
  { total, bad }: Exclude<AskedMetric, CrashMetric>,
  { version, from, to }: Window
): Promise<Sample> {
  const sum = async (eventName: string) => {
    const query = { eventName, version, from, to, granularity: 'hour', metric: 'totals' } as const
    const { points } = await analytics.series(query)
    return points.reduce((all, { value }) => all + value, 0)
  }
  return whole(await sum(total), await sum(bad))
}

/** Counts as the judge takes them, whatever a provider told. */
function whole(of: number, bad: number): Sample {
  const count = Math.max(0, Math.round(of)) || 0
  return { of: count, bad: Math.min(count, Math.max(0, Math.round(bad)) || 0) }
}

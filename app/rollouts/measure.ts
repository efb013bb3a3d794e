import { earlier, type Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import { pooled, sumOf, type Sample } from './guard/bounds.js'
import type { Counts } from './guard/counts.js'
import { coveredPart, reachOf } from './guard/coverage.js'
import { DAYS_OF_EFFECT, type Day } from './guard/design_effect.js'
import { SILENT_AFTER } from './guard/health.js'
import { DAYS_COMPARED } from './guard/judge_metric.js'
import { meaningOf, type GuardMetric, type RolloutPolicy } from './policy/policy.js'
import {
  daysBefore,
  userSpans,
  type PreviousVersion,
  type PreviousDay,
  type Window,
} from './policy/spans.js'
import type { Windows } from './queries/windows.js'

type CrashMetric = Extract<GuardMetric, { source: 'crashMonitoring' }>
type EventMetric = Extract<GuardMetric, { source: 'productAnalytics' }>
type AskedMetric = CrashMetric | EventMetric

/** The counts of one metric, as a provider reports them. */
export interface MeasuredMetric extends Counts {
  metric: string
  meaning: string
  /** The type of the integration that was asked. */
  by: string
}

/** Counts of earlier reports, which are not requested again. */
export type Known = Pick<Partial<Counts>, 'days' | 'whole'>

/**
 * Returns whether providers are asked for a metric; custom events are sent to the service instead.
 */
export const isAsked = (metric: GuardMetric): metric is AskedMetric =>
  metric.source === 'crashMonitoring' || metric.source === 'productAnalytics'

/** Returns the metrics of a policy that providers are asked for. */
export const askedMetrics = (policy: RolloutPolicy | null): AskedMetric[] =>
  (policy?.guard?.metrics ?? []).filter(isAsked)

/**
 * Asks the first integration of each kind for the metrics of a guard, outside of any transaction.
 * Metrics without an integration are left out.
 * @param known earlier counts, by the meaning of a metric
 * @throws what `askProvider` throws
 */
export async function measure(
  scope: Scope,
  appId: string,
  metrics: readonly AskedMetric[],
  windows: Windows,
  { known, signal }: { known: ReadonlyMap<string, Known>; signal: AbortSignal }
): Promise<MeasuredMetric[]> {
  const reported: MeasuredMetric[] = []
  for (const source of new Set(metrics.map((metric) => metric.source))) {
    const [integration] = (await integrationsOfKind(scope, appId, source)).filter(
      ({ type }) => type !== 'generic-analytics'
    )
    if (!integration) continue
    const own = metrics.filter((metric) => metric.source === source)
    const environment = integration.data.prodEnvironmentIdentifier
    const at = typeof environment === 'string' ? { environment } : {}
    const requested = { integration, kind: source, signal } as const
    const sampled = await askProvider(scope, requested, async (capability) => {
      const all: MeasuredMetric[] = []
      for (const metric of own) {
        const counter = counterOf(capability, metric, at)
        const meaning = meaningOf(metric)
        const counts = await countMetric(counter, windows, known.get(meaning))
        all.push({ metric: metric.name, meaning, by: integration.type, ...counts })
      }
      return all
    })
    reported.push(...sampled)
  }
  return reported
}

/** Counts a metric in spans of time. */
export interface Counter {
  /** True if it counts users, each of whom counts once in a span of any length. */
  countsUsers: boolean
  count(window: Window): Promise<Sample>
  /**
   * Returns the time up to which its data reaches in a span; absent if its data is always complete.
   */
  reaches?(window: Window): Promise<Instant>
  countDays(windows: readonly Window[]): Promise<Sample[]>
}

/**
 * Returns the counts of a version and of the previous one, as far as the data reaches. Later data
 * is counted by a later call.
 */
export async function countMetric(
  counter: Counter,
  { current, ...compared }: Windows,
  known: Known = {}
): Promise<Counts> {
  if (!counter.reaches) return countCovered(counter, { current, ...compared }, known)
  const reaches = await counter.reaches(current)
  if (reaches <= current.from && reaches < current.to) {
    const none = { of: 0, bad: 0 }
    return { current: none, baseline: compared.before && none, days: known.days ?? [], reaches }
  }
  const covered = coveredPart(current, reaches)
  return {
    ...(await countCovered(counter, { current: covered, ...compared }, known)),
    reaches,
  }
}

async function countCovered(
  counter: Counter,
  { current, before, baseline }: Windows,
  known: Known
): Promise<Counts> {
  const quiet = counter.countsUsers ? { quiet: await quietNow(counter, current) } : {}
  if (before === null || baseline === null) {
    return { current: await counter.count(current), baseline: null, days: [], ...quiet }
  }
  const days = known.days ?? (await reportedDays(counter, before, baseline))
  if (!counter.countsUsers) {
    const own = await counter.count(current)
    return { current: own, baseline: await counter.count(baseline), days }
  }
  const users = await countUsers(counter, current, before, { days, whole: known.whole })
  return { ...users, days, ...quiet }
}

/** Returns the last days of the previous version, each with the share of users that had it. */
export async function daysOf(
  before: PreviousVersion,
  countDays: (windows: readonly PreviousDay[]) => Promise<Sample[]>
): Promise<Day[]> {
  const windows = daysBefore(before, DAYS_OF_EFFECT)
  const samples = await countDays(windows)
  return samples.map((each, index) => ({ ...each, share: windows[index].share }))
}

/**
 * Returns the last days of the previous version; for users, also on how many days each of them came
 * in its last week.
 */
async function reportedDays(
  counter: Counter,
  before: PreviousVersion,
  week: Window
): Promise<Day[]> {
  const days = await daysOf(before, (windows) => counter.countDays(windows))
  if (!counter.countsUsers || days.length < DAYS_COMPARED) return days
  const distinct = await counter.count(week)
  if (distinct.of === 0) return days
  const visits = Math.max(1, sumOf(days.slice(-DAYS_COMPARED)).of / distinct.of)
  return days.map((day) => ({ ...day, visits }))
}

async function countUsers(
  counter: Counter,
  current: Window,
  before: PreviousVersion,
  { days, whole: reported = [] }: { days: Day[]; whole?: Sample[] }
): Promise<Omit<Counts, 'days'>> {
  const { whole: windows, begun, short } = userSpans(current, before)
  const count = (window: Window) => counter.count(window)
  // The last full day is counted again, because late data may still arrive.
  const settled = reported.slice(0, Math.max(0, Math.min(reported.length, windows.length) - 1))
  const over = [...settled, ...(await inTurn(windows.slice(settled.length), count))]
  const usual = short ? [await count(short)] : days.slice(-DAYS_COMPARED)
  const pairs = over.length === 0 ? [] : [{ current: sumOf(over), baseline: sumOf(usual) }]
  let [spans, compared] = [over.length, over.length === 0 ? 0 : usual.length]
  if (begun) {
    const same = await inTurn(begun.before, count)
    pairs.push({ current: await count(begun.own), baseline: sumOf(same) })
    spans += lengthOf(begun.own) / lengthOf(windows[0] ?? { from: current.from, to: current.to })
    compared = Math.max(compared, same.length)
  }
  const { current: sample, baseline } = pooled(pairs)
  return {
    current: sample,
    baseline: whole(baseline.of, baseline.bad),
    spans: { current: Math.max(1, spans), baseline: compared },
    whole: over,
  }
}

const lengthOf = ({ from, to }: Pick<Window, 'from' | 'to'>) => Date.parse(to) - Date.parse(from)

/**
 * Returns for how many milliseconds nobody came. Users count once per day, so the day's number
 * stands still even while users come; therefore only the last hours are counted.
 */
async function quietNow(counter: Counter, current: Window): Promise<number> {
  if (lengthOf(current) < SILENT_AFTER) return 0
  const { of } = await counter.count({ ...current, from: earlier(current.to, SILENT_AFTER) })
  return of > 0 ? 0 : SILENT_AFTER
}

/** Asks one by one, because providers limit concurrent calls. */
async function inTurn<Each>(
  all: readonly Each[],
  each: (one: Each) => Promise<Sample>
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const one of all) samples.push(await each(one))
  return samples
}

type Monitor = CapabilityMap['crashMonitoring'] | CapabilityMap['productAnalytics']

function counterOf(
  capability: Monitor,
  metric: AskedMetric,
  at: { environment?: string }
): Counter {
  if (metric.source === 'crashMonitoring') {
    const monitor = capability as CapabilityMap['crashMonitoring']
    const healthIn = cached((window) => monitor.health(window))
    const queryFor = ({ version, from, to }: Window) => ({ version, from, to, ...at })
    const count = async (window: Window) => ofCrashes(metric, await healthIn(queryFor(window)))
    const reaches = async (window: Window) =>
      reachOf((await healthIn(queryFor(window))).sampledAt, window.to)
    const countDays = (windows: readonly Window[]) => inTurn(windows, count)
    return { countsUsers: metric.measure === 'crashFreeUsers', count, reaches, countDays }
  }
  const analytics = capability as CapabilityMap['productAnalytics']
  return {
    countsUsers: false,
    count: async (window) => sumOf(await ofEvents(analytics, metric, [window])),
    countDays: (windows) => ofEvents(analytics, metric, windows),
  }
}

type CrashHealth = Awaited<ReturnType<CapabilityMap['crashMonitoring']['health']>>

/** Asks only once for each span. */
function cached(
  health: CapabilityMap['crashMonitoring']['health']
): CapabilityMap['crashMonitoring']['health'] {
  const results = new Map<string, Promise<CrashHealth>>()
  return (window) => {
    const key = JSON.stringify([window.version, window.from, window.to])
    const result = results.get(key) ?? health(window)
    results.set(key, result)
    return result
  }
}

function ofCrashes({ measure: measured }: CrashMetric, health: CrashHealth): Sample {
  const { sessions = 0, users = 0, events = 0 } = health
  switch (measured) {
    case 'crashFreeSessions':
      return sampleOf(sessions, health.crashFreeSessions)
    case 'crashFreeUsers':
      return sampleOf(users, health.crashFreeUsers)
    case 'crashes':
      return whole(sessions, events)
  }
}

/** Counts a share of what went well; an unreported share gives an empty sample. */
const sampleOf = (of: number, free: number | undefined): Sample =>
  free === undefined ? { of: 0, bad: 0 } : whole(of, of * (1 - Math.min(1, Math.max(0, free))))

/** Returns the events of consecutive spans, requested at once. */
async function ofEvents(
  analytics: CapabilityMap['productAnalytics'],
  { total, bad }: EventMetric,
  windows: readonly Window[]
): Promise<Sample[]> {
  const [first, last] = [windows.at(0), windows.at(-1)]
  if (!first || !last) return []
  const { version, from } = first
  const pointsOf = async (eventName: string) => {
    const query = { eventName, version, from, to: last.to, granularity: 'hour' } as const
    return (await analytics.series({ ...query, metric: 'totals' })).points
  }
  const [all, wrong] = [await pointsOf(total), await pointsOf(bad)]
  const sumIn = (points: typeof all, window: Window) =>
    points.reduce((sum, { at, value }) => {
      const isIn = windows.length === 1 || (at >= window.from && at < window.to)
      return isIn ? sum + value : sum
    }, 0)
  return windows.map((window) => whole(sumIn(all, window), sumIn(wrong, window)))
}

/** Returns valid counts for the judge from any numbers of a provider. */
export function whole(of: number, bad: number): Sample {
  const count = Math.max(0, Math.round(of)) || 0
  return { of: count, bad: Math.min(count, Math.max(0, Math.round(bad)) || 0) }
}

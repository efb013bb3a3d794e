import type { Instant } from '#foundation/core/clock'
import { as, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import { HOUR } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { readSeries } from '#monitoring/queries/read_series'
import type { Sample } from '../guard/bounds.js'
import type { Counts } from '../guard/counts.js'
import { lateUntil } from '../guard/coverage.js'
import { healthFrom, permitsGrowth, type Seen } from '../guard/health.js'
import { judgeMetric, type Judged } from '../guard/judge_metric.js'
import { daysOf, isAsked, whole } from '../measure.js'
import type { Health } from '../policy/next_move.js'
import { meaningOf, type GuardMetric, type GuardPolicy } from '../policy/policy.js'
import type { Window } from '../policy/spans.js'
import type { Finding, Measured, RolloutRow } from '../tables.js'
import { windowsOf, type Windows } from './windows.js'

/** Reviews of one or two stars count as failures. */
const BAD_RATING = 2

/** The most time before a check without new events that counts as silence, in milliseconds. */
const MAX_QUIET = 2 * HOUR

const REVIEWS = select(
  {
    count: as(integer(), 'cast(count(*) as integer)'),
    bad: as(
      integer(),
      `cast(coalesce(sum(case when r.rating <= ${BAD_RATING} then 1 else 0 end), 0) as integer)`
    ),
  },
  `from app_store_reviews r
  where r.organization_id = :org and r.integration_id = :integrationId and r.version = :version
    and r.written_at >= :from and r.written_at < :to`
)

/** The terms by which a version is judged during its rollout. */
export interface Guarded extends Omit<Judged, 'guard'> {
  guard: GuardPolicy | null
  /** The share of users that have the version, from 0 to 1. */
  share: number
}

export interface FoundHealth {
  health: Health
  found: Finding[]
  /** The counts, to be stored for the next check. */
  samples: Measured[]
  /** The time up to which late sources report on its users; null if it waits for no late source. */
  observedUntil: Instant | null
}

/**
 * Returns the current findings about a version: each metric of the guard, compared with the
 * previous version.
 */
export async function healthOf(
  scope: Scope,
  row: RolloutRow,
  version: string,
  guarded: Guarded
): Promise<FoundHealth> {
  const { guard, share } = guarded
  if (guard === null) return { health: 'off', found: [], samples: row.samples, observedUntil: null }
  const windows = await windowsOf(scope, row, version)
  const found: Finding[] = []
  const samples: Measured[] = []
  const seen: Seen[] = []
  const reached: Instant[] = []
  for (const metric of guard.metrics) {
    const reported = reportedOf(row.samples, metric, windows)
    const counted = await count(scope, row, metric, windows, reported)
    const earlier = reported.filter((each) => each.stageAt !== counted?.stageAt)
    samples.push(...earlier, ...(counted ? [counted] : []))
    // Without a previous version, later data changes nothing.
    const isUncovered = windows.before !== null && isUnseen(counted)
    const judging = isUncovered ? null : counted
    const judged = judgeMetric({ ...guarded, guard }, metric, judging, sinceBad(row, earlier))
    const { verdict, missing } = judged
    const until = counted && lateUntil(counted)
    if (until !== null && permitsGrowth(metric) && missing !== 'baseline') reached.push(until)
    found.push({
      metric: metric.name,
      at: scope.now,
      harmBudget: guard.harmBudget / 100,
      ...judged,
      ...(until !== null && { late: { until, by: counted?.by ?? null } }),
    })
    seen.push({ metric, verdict, missing, counted, share })
  }
  const [observedUntil = null] = reached.toSorted()
  return { health: healthFrom(seen, guard.whenUnsure), found, samples, observedUntil }
}

/** Returns whether the data of a source does not reach the stage yet. */
const isUnseen = (counted: Measured | null) =>
  counted?.reaches !== undefined && counted.reaches <= counted.stageAt

/** Returns the counts of a metric with the same meaning, compared with the same version. */
export function reportedOf(
  samples: readonly Measured[],
  metric: GuardMetric,
  { before }: Pick<Windows, 'before'>
): Measured[] {
  const [meaning, version] = [meaningOf(metric), before?.version ?? null]
  return samples.filter((each) => each.meaning === meaning && each.before === version)
}

/**
 * Returns the counts since the last unhealthy stage: a version that a person resumed is judged
 * anew.
 */
function sinceBad({ stages }: RolloutRow, reported: readonly Measured[]): Measured[] {
  const bad = stages.slice(0, -1).findLast(({ unhealthyAt }) => unhealthyAt !== undefined)
  return reported.filter(({ stageAt }) => bad === undefined || stageAt > bad.at)
}

async function count(
  scope: Scope,
  row: RolloutRow,
  metric: GuardMetric,
  windows: Windows,
  reported: readonly Measured[]
): Promise<Measured | null> {
  const { at: stageAt, percentage } = row.stages.at(-1)!
  const last = reported.find((each) => each.stageAt === stageAt)
  if (isAsked(metric)) return last ?? null
  const counts =
    metric.source === 'events'
      ? await countEvents(scope, metric, windows, reported.at(-1)?.days)
      : await countReviews(scope, row, windows)
  const before = windows.before?.version ?? null
  const subject = {
    metric: metric.name,
    meaning: meaningOf(metric),
    before,
    stageAt,
    share: percentage / 100,
  }
  const quiet = quietSince(last, counts.current, scope.now, MAX_QUIET)
  return { ...subject, ...counts, at: scope.now, quiet }
}

/**
 * Returns the milliseconds for which a metric was counted without an increase. A count covers the
 * time since the previous one, but at most `most`: nothing is known of times without counts.
 * @param until the time up to which it was counted
 */
export function quietSince(
  last: Measured | undefined,
  { of }: Sample,
  until: Instant,
  most: number
): number {
  if (last === undefined || of > last.current.of) return 0
  const { at, reaches = at, stageAt } = last
  const since = Math.max(Date.parse(reaches), Date.parse(stageAt))
  return (last.quiet ?? 0) + Math.min(most, Math.max(0, Date.parse(until) - since))
}

async function countEvents(
  scope: Scope,
  { total, bad }: Extract<GuardMetric, { source: 'events' }>,
  { current, before, baseline }: Windows,
  known: Counts['days'] | undefined
): Promise<Counts> {
  const environment = 'production'
  const pointsOf = (window: Window, name: string) =>
    readSeries(scope, { ...window, name, environment })
  const sampleIn = async (window: Window): Promise<Sample> => {
    const sum = async (name: string) =>
      (await pointsOf(window, name)).reduce((all, point) => all + point.sum, 0)
    return whole(await sum(total), await sum(bad))
  }
  const daily = async (windows: readonly Window[]): Promise<Sample[]> => {
    if (windows.length === 0) return []
    const span = { ...windows[0], to: windows.at(-1)!.to }
    const [all, wrong] = [await pointsOf(span, total), await pointsOf(span, bad)]
    const sumIn = (points: typeof all, { from, to }: Window) =>
      points.reduce((sum, { at, sum: value }) => (at >= from && at < to ? sum + value : sum), 0)
    return windows.map((day) => whole(sumIn(all, day), sumIn(wrong, day)))
  }
  return {
    current: await sampleIn(current),
    baseline: baseline && (await sampleIn(baseline)),
    days: known ?? (before ? await daysOf(before, daily) : []),
  }
}

/** Counts reviews. A day without reviews is not silence. */
async function countReviews(
  scope: Scope,
  { integrationId }: RolloutRow,
  { current, baseline }: Windows
): Promise<Counts> {
  const sampleOf = async ({ version, from, to }: Window): Promise<Sample> => {
    const [{ count: all, bad }] = await scope.rows(REVIEWS, { integrationId, version, from, to })
    return { of: all, bad }
  }
  return {
    current: await sampleOf(current),
    baseline: baseline && (await sampleOf(baseline)),
    days: [],
  }
}

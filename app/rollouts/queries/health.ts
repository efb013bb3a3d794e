import { later, type Instant } from '#foundation/core/clock'
import { as, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import { HOUR } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { readSeries } from '#monitoring/queries/read_series'
import { judge, type GuardBounds, type Sample } from '../guard/judge.js'
import type { GuardMetric, GuardPolicy } from '../policy/policy.js'
import type { Health } from '../policy/next_move.js'
import type { Found, RolloutRow } from '../tables.js'
import { isAsked } from '../measure.js'
import { windowsOf, type Window, type Windows } from './windows.js'

/** So long nothing may be heard of a version before it counts as silence. */
const SILENT_AFTER = 6 * HOUR

/** Reviews are few, and tell more than sessions do each; in how many, and in what share. */
const OF_REVIEWS = { minimumSample: 20, tolerance: 0.1 }

/** One or two stars. */
const BAD_RATING = 2

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

/** What is counted of one metric, and whether nothing is heard of it. */
interface Counted {
  current: Sample
  baseline: Sample | null
  isSilent: boolean
}

const NOTHING: Sample = { of: 0, bad: 0 }

/**
 * What is found of a version now: each metric of the guard, compared with the same stage of the
 * version that was rolled out before it in that store.
 * @param stages in how many stages it is judged, each anew
 */
export async function healthOf(
  scope: Scope,
  row: RolloutRow,
  version: string,
  { guard, stages }: { guard: GuardPolicy | null; stages: number }
): Promise<{ health: Health; found: Found[] }> {
  if (guard === null) return { health: 'off', found: [] }
  const windows = await windowsOf(scope, row, version)
  const found: Found[] = []
  let isSilent = false
  for (const metric of guard.metrics) {
    const counted = await count(scope, row, metric, windows)
    const bounds = boundsOf(guard, metric, stages)
    found.push({
      metric: metric.name,
      at: scope.now,
      tolerance: bounds.tolerance,
      ...judge(counted.current, counted.baseline, bounds),
    })
    // Nobody has heard of it before it began, or before a provider was asked.
    const since = (isAsked(metric) ? row.askedSince : row.startedAt) ?? scope.now
    isSilent ||= counted.isSilent && since <= later(scope.now, -SILENT_AFTER)
  }
  const verdicts = found.map(({ verdict }) => verdict)
  if (verdicts.includes('unhealthy')) return { health: 'unhealthy', found }
  if (isSilent) return { health: 'silent', found }
  return { health: verdicts.includes('notEnoughData') ? 'notEnoughData' : 'healthy', found }
}

function boundsOf(
  { metrics, errorBound, minimumSample, tolerance }: GuardPolicy,
  { source }: GuardMetric,
  stages: number
): GuardBounds {
  return {
    ...(source === 'appReviews' ? OF_REVIEWS : { minimumSample, tolerance: tolerance / 100 }),
    // Each stage and each metric has its part of what may go wrong.
    errorBound: errorBound / (stages * metrics.length),
  }
}

function count(
  scope: Scope,
  row: RolloutRow,
  metric: GuardMetric,
  windows: Windows
): Promise<Counted> | Counted {
  switch (metric.source) {
    case 'events':
      return countEvents(scope, metric, windows)
    case 'appReviews':
      return countReviews(scope, row, windows)
    default:
      return lastTold(scope, row, metric)
  }
}

async function countEvents(
  scope: Scope,
  metric: Extract<GuardMetric, { source: 'events' }>,
  { current, baseline }: Windows
): Promise<Counted> {
  const sampleOf = async (window: Window): Promise<Sample> => {
    const sum = async (name: string) => {
      const points = await readSeries(scope, { ...window, name, environment: 'production' })
      return Math.max(0, Math.round(points.reduce((total, point) => total + point.sum, 0)))
    }
    const total = await sum(metric.total)
    return { of: total, bad: Math.min(total, await sum(metric.bad)) }
  }
  const lately = { ...current, from: later(scope.now, -SILENT_AFTER), name: metric.total }
  const heard = await readSeries(scope, { ...lately, environment: 'production' })
  return {
    current: await sampleOf(current),
    baseline: baseline && (await sampleOf(baseline)),
    isSilent: heard.length === 0,
  }
}

/** That nobody writes a review is no silence. */
async function countReviews(
  scope: Scope,
  { integrationId }: RolloutRow,
  { current, baseline }: Windows
): Promise<Counted> {
  const sampleOf = async ({ version, from, to }: Window): Promise<Sample> => {
    const [{ count: all, bad }] = await scope.rows(REVIEWS, { integrationId, version, from, to })
    return { of: all, bad }
  }
  return {
    current: await sampleOf(current),
    baseline: baseline && (await sampleOf(baseline)),
    isSilent: false,
  }
}

/** What a provider last told at this stage. */
function lastTold(scope: Scope, { samples, stages }: RolloutRow, { name }: GuardMetric): Counted {
  const told = samples.find(({ metric }) => metric === name)
  const isOfStage = told?.stageAt === stages.at(-1)!.at
  const silentSince: Instant = later(scope.now, -SILENT_AFTER)
  return {
    current: isOfStage ? told.current : NOTHING,
    baseline: isOfStage ? told.baseline : null,
    isSilent: (told?.heardAt ?? '') < silentSince,
  }
}

import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { Freeze } from '#planning/calendar/freezes'
import type { Sample } from '../guard/bounds.js'
import { designEffects, type Day, type Unit } from '../guard/design_effect.js'
import { permitsGrowth, unitOf } from '../guard/health.js'
import { leastToStopOf } from '../guard/judge_metric.js'
import { DAYS_OF_TRAFFIC, daysOnRungs, times, trafficOf } from '../guard/reach.js'
import { APPLE } from './budget.js'
import { assumed, phaseMoves } from './forecast.js'
import { nextOpening } from './growth_window.js'
import { nextMove } from './next_move.js'
import { meaningOf, type GuardMetric, type GuardPolicy, type RolloutPolicy } from './policy.js'
import type { KnownTraffic } from './check_policy.js'

/** The reasons for the time of a rung: the policy, or the numbers that justify it. */
export const DECIDED_BY = ['policy', 'numbers'] as const

interface Rung {
  percentage: number
  /** Hours that it lasts at least. */
  hours: number
}

/** A rung, with the time at which a version reaches it that does as well as the previous one. */
interface ReachedRung extends Rung {
  /** Null if the numbers never justify it. */
  expectedAt: Instant | null
  because: (typeof DECIDED_BY)[number]
}

/** The expected counts on a rung, and the failures that stop the version there. */
interface CountedOnRung {
  percentage: number
  /** Days on it; null if it is never left. */
  days: number | null
  /** The counts on it, with the failures of a version like the previous one. */
  counted: Sample
  /** The number of failures that stops it; null if no number suffices. */
  stopsAt: number | null
  /**
   * The greatest share of failures with which the budget allows the next rung, from 0 to 1; null if
   * the metric lets nothing grow.
   */
  growsUpTo: number | null
}

/** The expected counts of the guard about one metric, given the known traffic. */
export interface MetricOutlook {
  name: string
  unit: Unit
  /** Days whose counts are known. */
  knownDays: number
  /** Counts of a day on which all users have a version; null if too few days are known. */
  daily: Sample | null
  /** The most of these cases that a new version may harm; null if unknown. */
  harmedAtMost: number | null
  /** The rungs but the last; empty if the traffic is unknown. */
  rungs: CountedOnRung[]
}

/** The course of a rollout that begins as soon as it may and stays healthy. */
export interface Outlook {
  startsAt: Instant
  rungs: ReachedRung[]
  metrics: MetricOutlook[]
}

/**
 * Forecasts a rollout by a policy, for a version that does as well as the previous one, from the
 * first instant at which it may grow. Pure.
 */
export function outlookOf(
  given: RolloutPolicy,
  traffic: KnownTraffic,
  isApple: boolean,
  freezes: readonly Freeze[],
  now: Instant
): Outlook {
  // At Apple, days change by themselves, whatever the hours of the policy.
  const policy = isApple ? { ...given, officeHours: null, healthyHours: null } : given
  const ladder = isApple ? APPLE : policy.ladder
  const { guard } = policy
  const knownMetrics = (guard?.metrics ?? []).map((metric) =>
    knownMetricOf(guard!, ladder, metric, traffic.get(meaningOf(metric)) ?? [])
  )
  const startsAt = nextOpening(policy, freezes, now) ?? now
  const rungs: ReachedRung[] = []
  /** Days on each rung, by the policy or until the numbers justify the next one. */
  const stays: number[] = []
  let at: Instant | null = startsAt
  let because: ReachedRung['because'] = 'policy'
  for (const [index, rung] of ladder.entries()) {
    if (index > 0 && at !== null) {
      const since: Instant = at
      const risesAt = isApple
        ? risesInPhase(policy, index, freezes, since)
        : risesOnLadder(policy, ladder[index - 1].percentage, { since, startsAt }, freezes)
      const days = Math.max(
        0,
        ...knownMetrics.flatMap(({ provenAfter }) => provenAfter[index - 1] ?? [])
      )
      const proven = Number.isFinite(days) ? later(since, Math.round(days * DAY)) : null
      const isHeld = proven === null || (risesAt !== null && proven > risesAt)
      at = isHeld ? proven && nextOpening(policy, freezes, proven) : risesAt
      because = isHeld ? 'numbers' : 'policy'
      const leavesAt = at ?? risesAt
      stays.push(leavesAt === null ? ladder[index - 1].hours / 24 : daysFrom(since, leavesAt))
    }
    rungs.push({ ...rung, expectedAt: at, because })
  }
  return {
    startsAt,
    rungs,
    metrics: knownMetrics.map(({ metric, days, ...known }) => ({
      name: metric.name,
      unit: known.unit,
      knownDays: known.knownDays,
      daily: known.daily,
      harmedAtMost: known.daily && (known.daily.of * guard!.harmBudget) / 100,
      rungs:
        known.daily === null
          ? []
          : stays.map((stay, index) =>
              countedOn(rungs, index, stay, { guard: guard!, metric, days, daily: known.daily! })
            ),
    })),
  }
}

const daysFrom = (from: Instant, to: Instant) => (Date.parse(to) - Date.parse(from)) / DAY

function risesOnLadder(
  policy: RolloutPolicy,
  percentage: number,
  { since, startsAt }: { since: Instant; startsAt: Instant },
  freezes: readonly Freeze[]
): Instant | null {
  const health = assumed(policy)
  const state = { state: 'active' as const, percentage, since, startedAt: startsAt, health }
  const move = nextMove(policy, state, freezes, since)
  return move.what === 'grow' ? move.at : null
}

function risesInPhase(
  policy: RolloutPolicy,
  day: number,
  freezes: readonly Freeze[],
  since: Instant
): Instant | null {
  const state = {
    day,
    since,
    state: 'active' as const,
    health: assumed(policy),
    isHeld: false,
    startedAt: later(since, (1 - day) * DAY),
    pausedDays: 0,
    pausedFor: null,
    overruled: [],
  }
  return phaseMoves(policy, state, freezes, since).find(({ what }) => what === 'grow')?.at ?? null
}

/** The known facts about a metric before any rung. */
interface KnownMetric extends Pick<MetricOutlook, 'unit' | 'knownDays' | 'daily'> {
  metric: GuardMetric
  days: readonly Day[]
  /** Days until the numbers of each rung justify the next one; infinite if they never do. */
  provenAfter: number[]
}

function knownMetricOf(
  { harmBudget }: GuardPolicy,
  ladder: readonly Rung[],
  metric: GuardMetric,
  days: readonly Day[]
): KnownMetric {
  const unit = unitOf(metric)
  const daily = trafficOf(days.slice(-DAYS_OF_TRAFFIC))
  // Days on which nobody was counted carry no information.
  const knownDays = daily.of === 0 ? 0 : days.length
  const isKnown = knownDays >= DAYS_OF_TRAFFIC
  const numbersAlone = ladder.map(({ percentage }) => ({ percentage, hours: 0 }))
  // Reviews let nothing grow, so nothing waits for them.
  const provenAfter =
    isKnown && permitsGrowth(metric)
      ? daysOnRungs(numbersAlone, { days, unit }, harmBudget / 100)
      : []
  return { metric, days, unit, knownDays, daily: isKnown ? daily : null, provenAfter }
}

/**
 * Returns the expected counts on a rung; its length follows from the policy and all metrics
 * together.
 */
function countedOn(
  rungs: readonly ReachedRung[],
  index: number,
  stay: number,
  {
    guard,
    metric,
    days,
    daily,
  }: Pick<KnownMetric, 'metric' | 'days'> & {
    guard: GuardPolicy
    daily: Sample
  }
): CountedOnRung {
  const { percentage } = rungs[index]
  const next = rungs[index + 1]
  const share = percentage / 100
  const week = times(daily, DAYS_OF_TRAFFIC)
  const counted = times(daily, share * stay)
  const spans = { current: Math.max(1, stay), baseline: DAYS_OF_TRAFFIC }
  const effects = designEffects(unitOf(metric), days, spans, share)
  const stopsAt = leastToStopOf(
    metric,
    counted.of,
    { baseline: week, effects: { ...effects, current: effects.current.value } },
    week,
    guard.errorBound / (guard.metrics.length * rungs.length)
  )
  return {
    percentage,
    days: next.expectedAt === null ? null : stay,
    counted,
    stopsAt,
    growsUpTo: permitsGrowth(metric)
      ? Math.min(1, daily.bad / daily.of + guard.harmBudget / next.percentage)
      : null,
  }
}

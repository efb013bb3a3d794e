import { sumOf } from './bounds.js'
import type { Counts } from './counts.js'
import { designEffects, ONE_SPAN, type Day, type DesignEffect } from './design_effect.js'
import { unitOf } from './health.js'
import { judge, leastToStop, type Judgement, type Rung } from './judge.js'
import type { GuardMetric, GuardPolicy } from '../policy/policy.js'

/** The fewest reviews for a verdict. */
const MIN_REVIEWS = 20

/** The number of days of the previous version that a version is compared with. */
export const DAYS_COMPARED = 7

/** The terms by which a version is judged during its rollout. */
export interface Judged {
  guard: GuardPolicy
  /** The number of stages in which it is judged. */
  stages: number
  /** The share of users of the next rung, from 0 to 1. */
  nextShare: number
}

/** The counts of one metric on one rung. */
export interface CountedRung extends Omit<Counts, 'days'> {
  /** The previous version by day, the oldest first. */
  days?: readonly Day[]
  /** The share of users that have the version on this rung, from 0 to 1. */
  share: number
}

/**
 * Judges a version by one metric, from counts on its present rung and on earlier ones. The allowed
 * error is divided among the metrics and the rungs. Pure.
 * @param counted null if no provider was asked yet
 */
export function judgeMetric(
  { guard: { metrics, errorBound, harmBudget }, stages, nextShare }: Judged,
  metric: GuardMetric,
  counted: CountedRung | null,
  earlier: readonly CountedRung[]
): Judgement & { designEffect: DesignEffect } {
  const { days = [] } = counted ?? {}
  const effectsOf = ({ spans = ONE_SPAN, share }: CountedRung) =>
    designEffects(unitOf(metric), days, spans, share)
  const rungOf = (each: CountedRung, { current, baseline } = effectsOf(each)): Rung => ({
    ...each,
    effects: { current: current.value, baseline },
  })
  const now = counted ?? NOTHING
  const effects = effectsOf(now)
  const designEffect = effects.current
  const week = sumOf(days.slice(-DAYS_COMPARED))
  const usual = week.of > 0 ? week : (now.baseline ?? week)
  const before = earlier.map((each) => rungOf(each))
  const judged = judge(rungOf(now, effects), before, usual, {
    errorBound: errorBound / (metrics.length * stages),
    harmBudget: harmBudget / 100,
    nextShare,
  })
  // Without any counts, it is unknown whether there is a baseline.
  if (counted === null) return { ...judged, designEffect, missing: 'sample' }
  if (metric.source !== 'appReviews') return { ...judged, designEffect }
  const isBad = judged.verdict === 'unhealthy' && isEnough(metric, now.current.of)
  return { ...judged, designEffect, verdict: isBad ? 'unhealthy' : 'notEnoughData' }
}

const isEnough = ({ source }: GuardMetric, of: number) =>
  source !== 'appReviews' || of >= MIN_REVIEWS

/**
 * Returns how many of the cases on a rung must fail until `judgeMetric` stops the version; null if
 * no number suffices. Pure.
 */
export const leastToStopOf = (
  metric: GuardMetric,
  ...[of, ...before]: Parameters<typeof leastToStop>
): number | null => (isEnough(metric, of) ? leastToStop(of, ...before) : null)

const NOTHING: CountedRung = { current: { of: 0, bad: 0 }, baseline: null, share: 1 }

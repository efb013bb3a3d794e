import type { Sample } from './bounds.js'

/** The factor by which counts vary more than independent ones would. */
export interface DesignEffect {
  value: number
  /** True if it was estimated from the daily figures of the previous version. */
  isEstimated: boolean
}

/** The counts of one day. */
export interface Day extends Sample {
  /** The share of users that had the version on that day, from 0 to 1; absent if all had it. */
  share?: number
  /** For users: the mean number of days on which each of them came in that week. */
  visits?: number
}

/** The number of days that the effect is estimated from. */
export const DAYS_OF_EFFECT = 14

/**
 * Quantiles of the chi-squared distribution with 13 degrees of freedom, at 20 % and 50 %: the
 * estimated effect is large enough in four of five cases, or in one of two. An effect that is too
 * small stops healthy versions.
 */
const FIFTH = 8.634
const HALF = 12.34

/**
 * Returns the factor by which the daily bad shares vary more than independent counts would:
 * Pearson's statistic over the last days. Null if there are too few days.
 * @param quantile the quantile of the chi-squared distribution to divide by
 */
export function estimatedEffect(days: readonly Sample[], quantile = FIFTH): number | null {
  const counted = days.filter(({ of }) => of > 0).slice(-DAYS_OF_EFFECT)
  if (counted.length < DAYS_OF_EFFECT) return null
  const of = counted.reduce((all, day) => all + day.of, 0)
  const bad = counted.reduce((all, day) => all + day.bad, 0)
  if (bad === 0 || bad === of) return null
  const share = bad / of
  const squares = counted.map(
    (day) => (day.bad - day.of * share) ** 2 / (day.of * share * (1 - share))
  )
  const sum = squares.reduce((all, each) => all + each, 0)
  return Math.max(1, sum / quantile)
}

/** The unit of counts, which decides how one user's crashes are correlated. */
export type Unit = 'users' | 'sessions' | 'reviews'

/** The numbers of days over which users are summed, for a version and the previous one. */
export interface Spans {
  current: number
  baseline: number
}

export const ONE_SPAN: Spans = { current: 1, baseline: 1 }

/** The divisors of the counts of a version and the previous one. */
export interface Effects {
  current: DesignEffect
  baseline: number
}

/**
 * Default effects. Sessions of one user crash in bursts, of three in the mean: geometric bursts
 * vary 5 times as much.
 */
const DEFAULT = { sessions: 5, reviews: 1 } as const

/**
 * Sums of users over seven days vary twice as much as those of one day, and sums over fewer days
 * less.
 */
const SUMMED_USERS = 2
const WEEK = 7
const MAX_A_DAY = (SUMMED_USERS - 1) / (WEEK - 1)

/**
 * Returns the factor by which users summed over some days vary more than those of one day. A user
 * who crashes on every day counts 1 + (days - 1) · chance to come on a day. Of the visits of a
 * week, one is certain; a third of the others is at least that chance.
 */
function ofSummedDays(days: number, visits: number | undefined): number {
  const aDay = visits === undefined ? MAX_A_DAY : Math.min(MAX_A_DAY, Math.max(0, visits - 1) / 3)
  return Math.min(SUMMED_USERS, 1 + Math.max(0, days - 1) * aDay)
}

/**
 * Returns the divisors of counts.
 * @param days days of the previous version
 * @param share the share of users that have the version, from 0 to 1
 */
export function designEffects(
  unit: Unit,
  days: readonly Day[],
  spans: Spans,
  share: number
): Effects {
  if (unit === 'users') return effectsOfUsers(days, spans, share)
  const estimated = unit === 'sessions' ? estimatedEffect(days) : null
  const value = estimated ?? DEFAULT[unit]
  return { current: { value, isEstimated: estimated !== null }, baseline: value }
}

/**
 * Returns the divisors of counts of users. Distinct users crash independently; any further
 * variation of the daily shares comes from the days themselves. It is proportional to the counted
 * share of users, so smaller among few users. It adds to the effect of users who are counted on
 * several days.
 */
function effectsOfUsers(days: readonly Day[], spans: Spans, share: number): Effects {
  const estimated = estimatedEffect(days, HALF)
  const shares = days.slice(-DAYS_OF_EFFECT).map((day) => day.share ?? 1)
  const usual = shares.reduce((sum, each) => sum + each, 0) / Math.max(1, shares.length)
  const { visits } = days.at(-1) ?? {}
  const ofDays = ((estimated ?? 1) - 1) / (usual > 0 ? usual : 1)
  return {
    current: {
      value: ofSummedDays(spans.current, visits) + ofDays * share,
      isEstimated: estimated !== null,
    },
    baseline: ofSummedDays(spans.baseline, visits) + ofDays,
  }
}

import type { Sample } from './bounds.js'

/** By how much counts vary more than independent ones would. */
export interface DesignEffect {
  value: number
  /** True if it was estimated from the daily figures of the previous version. */
  isEstimated: boolean
}

/** The counts of one day. */
export interface Day extends Sample {
  /** The share of users that had the version on that day, 0 to 1; absent for all of them. */
  share?: number
  /** For users: the mean number of days of that week on which each of them came. */
  visits?: number
}

/** Days of figures that it is estimated from. */
export const DAYS_OF_EFFECT = 14

/**
 * The chi-squared distribution of 13 degrees of freedom at its fifth and its half: the effect is no
 * greater in four of five cases, and in one of two. One that is too small stops healthy versions.
 */
const FIFTH = 8.634
const HALF = 12.34

/**
 * By how much the daily bad shares vary more than independent counts would: Pearson's statistic
 * over the last days. Null if there are too few days.
 * @param quantile of the chi-squared distribution that it is divided by
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

/** The unit of counts, by how one user's crashes are correlated in it. */
export type Unit = 'users' | 'sessions' | 'reviews'

/** The number of days over which users are summed, in this version and the previous one. */
export interface Spans {
  current: number
  baseline: number
}

export const ONE_SPAN: Spans = { current: 1, baseline: 1 }

/** The divisors of counts, for a version and the previous one. */
export interface Effects {
  current: DesignEffect
  baseline: number
}

/** Sessions of one user crash in bursts, of three at the mean: geometric ones vary 5 times as much. */
const DEFAULT = { sessions: 5, reviews: 1 } as const

/** Sums of the users of seven days vary twice as much as those of one day, and less of fewer. */
const SUMMED_USERS = 2
const WEEK = 7
const MOST_A_DAY = (SUMMED_USERS - 1) / (WEEK - 1)

/**
 * Returns the factor by which the summed users of some days vary more than those of one. A user who
 * crashes on all of their days counts 1 + (days - 1) · chance to come on a day; of the visits of a
 * week, one is certain, and a third of the others is at least that chance.
 */
function ofSummedDays(days: number, visits: number | undefined): number {
  const aDay = visits === undefined ? MOST_A_DAY : Math.min(MOST_A_DAY, Math.max(0, visits - 1) / 3)
  return Math.min(SUMMED_USERS, 1 + Math.max(0, days - 1) * aDay)
}

/**
 * By what counts are divided.
 * @param days of the version before
 * @param share of users that have the version, 0 to 1
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
 * Distinct users crash one by one. What their daily shares vary beyond that is the days' own, a
 * part of all that is counted: among few users there is as much less of it. It adds to what is
 * counted again and again where days are added up.
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

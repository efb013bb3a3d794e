import { GrowingShare, lowerOfFixed, priorAround, sumOf, type Sample } from './bounds.js'
import { designEffects, type Day, type Unit } from './design_effect.js'
import { GROWTH_ERROR } from './judge.js'

/** The daily counts of an app. */
export interface Traffic {
  /** Days of versions that users had. */
  days: readonly Day[]
  unit: Unit
}

/**
 * Returns the counts of a day on which all users have a version; days with a smaller share are
 * scaled up.
 */
export function trafficOf(days: readonly Day[]): Sample {
  const { of, bad } = sumOf(days)
  const whole = days.reduce((sum, { share = 1 }) => sum + share, 0)
  return whole === 0 ? { of: 0, bad: 0 } : { of: of / whole, bad: bad / whole }
}

interface Rung {
  percentage: number
  hours: number
}

/** The longest climb in days that a budget may cause. */
export const MAX_CLIMB = 30

/** The fewest known days; with fewer, the traffic is unknown. */
export const DAYS_OF_TRAFFIC = 7

/** The longest time on one rung, in days. */
const MAX_DAYS = 1000

/**
 * Returns the days on each rung but the last, for a version that does as well as the previous one:
 * the hours of the rung, or more until its counts justify the next one. The list ends with infinity
 * if no counts would. Pure.
 * @param harmBudget as a share of all users
 */
export function daysOnRungs(
  ladder: readonly Rung[],
  { days, unit }: Traffic,
  harmBudget: number
): number[] {
  const daily = trafficOf(days.slice(-DAYS_OF_TRAFFIC))
  if (daily.of === 0) return [Infinity]
  const effectsAfter = (after: number, share: number) =>
    designEffects(unit, days, { current: after, baseline: DAYS_OF_TRAFFIC }, share)
  const week = times(daily, DAYS_OF_TRAFFIC / effectsAfter(1, 1).baseline)
  const least = lowerOfFixed(week, GROWTH_ERROR.baseline)
  const prior = priorAround(daily)
  const all: number[] = []
  for (const [index, { percentage, hours }] of ladder.entries()) {
    const next = ladder.at(index + 1)
    if (!next) break
    const [share, nextShare] = [percentage / 100, next.percentage / 100]
    const isEnough = (after: number) => {
      const sample = times(daily, (share * after) / effectsAfter(after, share).current.value)
      const upper = new GrowingShare(sample, prior).upper(GROWTH_ERROR.current)
      return nextShare * (upper - least) <= harmBudget
    }
    if (!isEnough(MAX_DAYS)) return [...all, Infinity]
    all.push(Math.max(hours / 24, firstAt(isEnough)))
  }
  return all
}

/** Returns the days until such a version reaches all users. Pure. */
export const daysToAll = (...of: Parameters<typeof daysOnRungs>): number =>
  daysOnRungs(...of).reduce((sum, days) => sum + days, 0)

export const times = ({ of, bad }: Sample, factor: number): Sample => ({
  of: of * factor,
  bad: bad * factor,
})

/** Returns the first day, to a hundredth, from which a property holds. */
function firstAt(holds: (after: number) => boolean): number {
  let [low, high] = [0, MAX_DAYS]
  while (high - low > 0.01) {
    const middle = (low + high) / 2
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

/** Why a harm budget keeps even a healthy version from its users. */
export interface Unreachable {
  /** The days that it would take; null if it would never reach all. */
  days: number | null
  /** The smallest budget that works, in percent; null if none does. */
  smallest: number | null
}

/**
 * Returns the fault of a budget for which the app has too few users; null if there is none, or the
 * traffic is unknown. A ladder whose own hours take longer is intended. Pure.
 * @param harmBudget in percent
 * @param most the greatest budget that a policy may have, in percent
 */
export function unreachable(
  ladder: readonly Rung[],
  traffic: Traffic,
  harmBudget: number,
  most: number
): Unreachable | null {
  if (traffic.days.length < DAYS_OF_TRAFFIC) return null
  const hours = ladder.slice(0, -1).reduce((sum, each) => sum + each.hours, 0)
  const longest = Math.max(MAX_CLIMB, hours / 24)
  const works = (percent: number) => daysToAll(ladder, traffic, percent / 100) <= longest
  if (works(harmBudget)) return null
  const days = daysToAll(ladder, traffic, harmBudget / 100)
  const found = { days: Number.isFinite(days) ? Math.ceil(days) : null }
  if (!works(most)) return { ...found, smallest: null }
  let [low, high] = [Math.floor(harmBudget * 100), Math.ceil(most * 100)]
  // The search goes in hundredths of a percent, which people can write down.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (works(middle / 100)) high = middle
    else low = middle
  }
  return { ...found, smallest: high / 100 }
}

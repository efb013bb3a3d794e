import { HOUR } from '#foundation/core/durations'
import type { Health } from '../policy/next_move.js'
import type { GuardMetric, GuardPolicy } from '../policy/policy.js'
import type { Day, Unit } from './design_effect.js'
import type { Judgement } from './judge.js'
import { trafficOf } from './reach.js'

/** Time without new counts after which a version counts as silent, in milliseconds. */
export const SILENT_AFTER = 6 * HOUR

/**
 * Minimum number of cases that the silent time would usually bring. With fewer, silence is normal:
 * a handful of users may not open the app for hours.
 */
const MIN_EXPECTED_CASES = 20

/** The finding about one metric. */
export interface Seen {
  metric: GuardMetric
  verdict: Judgement['verdict']
  missing: Judgement['missing']
  /** The counts; null if no provider was queried yet. */
  counted: { quiet?: number; days?: readonly Day[] } | null
  /** The share of users that have the version, 0 to 1. */
  share: number
}

/** Returns whether a metric can let a version grow; reviews can only stop it. */
export const permitsGrowth = ({ source }: { source?: GuardMetric['source'] }): boolean =>
  source !== 'appReviews'

export function unitOf(metric: GuardMetric): Unit {
  if (metric.source === 'appReviews') return 'reviews'
  return metric.source === 'crashMonitoring' && metric.measure === 'crashFreeUsers'
    ? 'users'
    : 'sessions'
}

/** States, worst first. */
const ORDER = ['silent', 'noBaseline', 'notEnoughData', 'healthy'] as const

/**
 * Combines the verdicts of all metrics into the worst one. If the policy lets rollouts grow without
 * data, metrics without data are ignored.
 */
export function healthFrom(seen: readonly Seen[], whenUnsure: GuardPolicy['whenUnsure']): Health {
  if (seen.some(({ verdict }) => verdict === 'unhealthy')) return 'unhealthy'
  const states = seen.filter(({ metric }) => permitsGrowth(metric)).map(stateOf)
  if (states.length === 0) return 'notEnoughData'
  const isUnsure = (state: Health) => state === 'silent' || state === 'noBaseline'
  const relevant = whenUnsure === 'grow' ? states.filter((state) => !isUnsure(state)) : states
  return ORDER.find((state) => relevant.includes(state)) ?? 'off'
}

function stateOf({ verdict, missing, counted, share }: Seen): (typeof ORDER)[number] {
  if (counted !== null && isSilent(counted, share)) return 'silent'
  if (missing === 'baseline') return 'noBaseline'
  return verdict === 'healthy' ? 'healthy' : 'notEnoughData'
}

/** Returns whether no data has arrived for longer than the usual traffic explains. */
function isSilent({ quiet = 0, days = [] }: NonNullable<Seen['counted']>, share: number): boolean {
  if (quiet < SILENT_AFTER) return false
  if (days.length === 0) return true
  const daily = trafficOf(days).of
  return (daily * share * quiet) / (24 * HOUR) >= MIN_EXPECTED_CASES
}

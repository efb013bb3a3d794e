import { GrowingShare, lowerOfFixed, pooled, priorAround, type Sample } from './bounds.js'

/** The terms by which a version is judged on one rung. */
export interface Terms {
  /** The probability that a version without a drop is stopped, by the counts since one rung. */
  errorBound: number
  /** The share of all users that the version may harm, from 0 to 1. */
  harmBudget: number
  /** The share of users of the next rung, from 0 to 1. */
  nextShare: number
}

/** The counts on one rung, of this version and the previous one, and their divisors. */
export interface Rung {
  current: Sample
  /** Null without a previous version. */
  baseline: Sample | null
  /** Divisors of the counts, because cases of the same user are correlated. */
  effects: { current: number; baseline: number }
}

type Verdict = 'healthy' | 'unhealthy' | 'notEnoughData'

/** A verdict, with the numbers behind it. */
export interface Judgement {
  verdict: Verdict
  current: Sample
  /** The previous version; null if there was none. */
  baseline: Sample | null
  /** Success rates, from 0 to 1; null without data. */
  rate: number | null
  baselineRate: number | null
  /** The increase of the failure rate, as a share. */
  drop: number | null
  /** Upper confidence bound of the drop, as a share. */
  greatestDrop: number | null
  /** The greatest share of users that the budget allows with that drop, from 0 to 1. */
  allowedShare: number | null
  /**
   * The factor by which the data support a drop more than none. The version is unhealthy from
   * `threshold` on.
   */
  evidence: number
  threshold: number
  /** The missing part if there is not enough data. */
  missing: 'baseline' | 'sample' | 'certainty' | null
}

/** A smaller drop does no harm, although millions of sessions may prove it. */
const IGNORED_DROP = 0.0002

/** The fewest failures before a version is unhealthy: one crash proves nothing. */
const MIN_BAD = 5

/** The errors of the two bounds behind the greatest drop. */
export const GROWTH_ERROR = { current: 0.05, baseline: 0.05 }

/** The greatest evidence: JSON has no infinity. */
const MAX_EVIDENCE = 1e12

/**
 * Compares the failures of a version with those of the previous one. It is unhealthy if the counts
 * since this rung, or since an earlier one, support a greater failure share. It is healthy if the
 * next share of users, times its greatest drop by this rung alone, is within the harm budget. Pure.
 * @param earlier earlier rungs whose counts still matter, the oldest first
 * @param usual the previous version in whole days, which is known before the first count
 */
export function judge(
  rung: Rung,
  earlier: readonly Rung[],
  usual: Sample,
  { errorBound, harmBudget, nextShare }: Terms
): Judgement {
  const { current, baseline, effects } = rung
  const threshold = 1 / errorBound
  const found = { current, baseline, ...ratesOf(current, baseline), threshold }
  const unknown = { greatestDrop: null, allowedShare: null, evidence: 0 }
  if (baseline === null || baseline.of === 0) {
    return { ...found, ...unknown, verdict: 'notEnoughData', missing: 'baseline' }
  }
  if (current.of === 0) {
    return { ...found, ...unknown, verdict: 'notEnoughData', missing: 'sample' }
  }
  const prior = priorAround(usual)
  const least = lowerOfFixed(dividedBy(baseline, effects.baseline), GROWTH_ERROR.baseline)
  const upper = new GrowingShare(dividedBy(current, effects.current), prior).upper(
    GROWTH_ERROR.current
  )
  const greatestDrop = Math.max(0, upper - least)
  const allowedShare = Math.min(1, harmBudget / greatestDrop)
  const since = [...earlier.map((_, index) => [...earlier.slice(index), rung]), [rung]]
  const evidence = Math.max(...since.map((rungs) => evidenceOfDrop(rungs, prior)))
  const numbers = { ...found, greatestDrop, allowedShare, evidence, missing: null }
  if (evidence >= threshold) return { ...numbers, verdict: 'unhealthy' }
  return allowedShare >= nextShare
    ? { ...numbers, verdict: 'healthy' }
    : { ...numbers, verdict: 'notEnoughData', missing: 'certainty' }
}

/**
 * Returns how many of the cases on a rung must fail until the version is unhealthy by that rung
 * alone; null if no number suffices. Pure.
 */
export function leastToStop(
  of: number,
  { baseline, effects }: Omit<Rung, 'current'>,
  usual: Sample,
  errorBound: number
): number | null {
  const prior = priorAround(usual)
  const stops = (bad: number) =>
    evidenceOfDrop([{ current: { of, bad }, baseline, effects }], prior) >= 1 / errorBound
  let [low, high] = [0, Math.floor(of)]
  if (!stops(high)) return null
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (stops(middle)) high = middle
    else low = middle
  }
  return high
}

function ratesOf(current: Sample, baseline: Sample | null) {
  const rateOf = ({ of, bad }: Sample) => (of === 0 ? null : 1 - bad / of)
  const rate = rateOf(current)
  const baselineRate = baseline && rateOf(baseline)
  const drop = rate === null || baselineRate === null ? null : baselineRate - rate
  return { rate, baselineRate, drop }
}

/** Returns the evidence that the version does worse on some rungs than the previous one. */
function evidenceOfDrop(rungs: readonly Rung[], prior: ReturnType<typeof priorAround>): number {
  const pairs = rungs.flatMap(({ current, baseline, effects }) =>
    baseline === null || current.of === 0
      ? []
      : [
          {
            current: dividedBy(current, effects.current),
            baseline: dividedBy(baseline, effects.baseline),
          },
        ]
  )
  const { current, baseline } = pooled(pairs)
  if (current.of === 0 || baseline.of === 0) return 0
  const bad = rungs.reduce((sum, each) => sum + each.current.bad, 0)
  if (bad < MIN_BAD) return 0
  if (current.bad / current.of <= baseline.bad / baseline.of + IGNORED_DROP) return 0
  const evidence = new GrowingShare(current, prior).logEvidenceOfChange(baseline)
  return Math.min(MAX_EVIDENCE, Math.exp(Math.min(700, evidence)))
}

const dividedBy = ({ of, bad }: Sample, effect: number): Sample => ({
  of: of / effect,
  bad: bad / effect,
})

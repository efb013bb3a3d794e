/** How many there were of something, and how many of them went wrong. */
export interface Sample {
  of: number
  bad: number
}

export interface GuardBounds {
  /** How often it may be called unhealthy without a drop, 0 to 1, however often it is looked. */
  errorBound: number
  minimumSample: number
  /** The drop that a healthy version surely does not have, as a share: 0.0025. */
  tolerance: number
}

type Verdict = 'healthy' | 'unhealthy' | 'notEnoughData'

/** What was found, with the numbers behind the word. */
export interface Judgement {
  verdict: Verdict
  current: Sample
  /** The same stage of the version before; null where there was none. */
  baseline: Sample | null
  /** Of what went well, 0 to 1, here and there; null of nothing. */
  rate: number | null
  baselineRate: number | null
  /** How much more went wrong than before, as a share. */
  drop: number | null
  /** By how much the data speak for a drop rather than for none; unhealthy from `threshold` on. */
  evidence: number
  threshold: number
  /** The same for a drop that is smaller than what is tolerated; healthy from this one on. */
  evidenceOfHealth: number
  healthThreshold: number
  /** What is missing where there is not enough data. */
  missing: 'baseline' | 'sample' | 'certainty' | null
}

/** A drop smaller than this is nobody's harm, though in millions of sessions it can be shown. */
const IGNORED_DROP = 0.0002

/** So much has to have gone wrong before a version is unhealthy: one crash is no evidence. */
const LEAST_BAD = 5

/** How often a version with the tolerated drop may be called healthy. */
const HEALTH_ERROR = 0.05

/**
 * Compares what went wrong in two versions by a mixture sequential probability ratio test for two
 * proportions (Robbins 1970; Johari, Pekelis and Walsh 2015), one-sided: the likelihood of the
 * difference under drops drawn from a half-normal distribution, over its likelihood without one.
 * Without a drop that ratio ever reaches 1/bound with a probability of at most the bound, so
 * looking often costs nothing. The variance is that of the two together, as it is without a drop.
 * Healthy is shown the same way, against the drop that is tolerated. Pure.
 */
export function judge(current: Sample, baseline: Sample | null, bounds: GuardBounds): Judgement {
  const { errorBound, minimumSample, tolerance } = bounds
  const threshold = 1 / errorBound
  const healthThreshold = 1 / HEALTH_ERROR
  const rateOf = ({ of, bad }: Sample) => (of === 0 ? null : 1 - bad / of)
  const rate = rateOf(current)
  const baselineRate = baseline && rateOf(baseline)
  const numbers = {
    current,
    baseline,
    rate,
    baselineRate,
    drop: rate === null || baselineRate === null ? null : baselineRate - rate,
    threshold,
    healthThreshold,
  }
  const none = { ...numbers, verdict: 'notEnoughData' as const, evidence: 0, evidenceOfHealth: 0 }
  if (baseline === null || baseline.of === 0) return { ...none, missing: 'baseline' }
  if (Math.min(current.of, baseline.of) < minimumSample) return { ...none, missing: 'sample' }
  const drop = current.bad / current.of - baseline.bad / baseline.of
  const evidence = ratio(drop - IGNORED_DROP, pooledVariance(current, baseline), tolerance)
  const evidenceOfHealth = ratio(
    tolerance - drop,
    toleratedVariance(current, baseline, tolerance),
    tolerance
  )
  const found = { ...numbers, evidence, evidenceOfHealth, missing: null }
  if (evidence >= threshold && current.bad >= LEAST_BAD) return { ...found, verdict: 'unhealthy' }
  return evidenceOfHealth >= healthThreshold
    ? { ...found, verdict: 'healthy' }
    : { ...found, verdict: 'notEnoughData', missing: 'certainty' }
}

/** The likelihood ratio of a difference over none, one-sided, with the scale of what is looked for. */
function ratio(difference: number, variance: number, scale: number): number {
  const spread = scale ** 2
  const whole = variance + spread
  const exponent = (difference ** 2 * spread) / (2 * variance * whole)
  const side = normal((difference * scale) / Math.sqrt(variance * whole))
  // Beyond this it is as sure as numbers get; infinity is no number of JSON.
  return Math.min(1e12, 2 * Math.sqrt(variance / whole) * Math.exp(Math.min(exponent, 700)) * side)
}

/** Of the difference, where both have the same share; never 0, which nobody can be as sure of. */
function pooledVariance(one: Sample, other: Sample): number {
  const share = (one.bad + other.bad + 0.5) / (one.of + other.of + 1)
  return share * (1 - share) * (1 / one.of + 1 / other.of)
}

/** The same where the current one has dropped by what is tolerated. */
function toleratedVariance(current: Sample, baseline: Sample, tolerance: number): number {
  const before = (baseline.bad + 0.5) / (baseline.of + 1)
  const now = Math.min(1, before + tolerance)
  return (before * (1 - before)) / baseline.of + (now * (1 - now)) / current.of
}

/** The standard normal distribution (Abramowitz and Stegun 26.2.17, to 7.5e-8). */
function normal(at: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(at))
  const poly =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const tail = (Math.exp(-(at ** 2) / 2) / Math.sqrt(2 * Math.PI)) * poly
  return at >= 0 ? 1 - tail : tail
}

import { incompleteBeta, logBeta } from './special_functions.js'

/**
 * A number of cases, and how many of them failed. Counts may be fractions after division by the
 * design effect.
 */
export interface Sample {
  of: number
  bad: number
}

/** The counts of a version, and of the previous version over the same part of a day. */
export interface Pair {
  current: Sample
  baseline: Sample
}

export const sumOf = (samples: readonly Sample[]): Sample =>
  samples.reduce((all, { of, bad }) => ({ of: all.of + of, bad: all.bad + bad }), { of: 0, bad: 0 })

/**
 * Combines several pairs into one. Each baseline is weighted by the cases of the version in its
 * pair, so that the combined baseline share is the one expected without a drop.
 */
export function pooled(pairs: readonly Pair[]): Pair {
  if (pairs.length === 1) return pairs[0]
  const current = sumOf(pairs.map((each) => each.current))
  const weights = pairs.map((each) =>
    each.baseline.of === 0 ? 0 : each.current.of / each.baseline.of
  )
  const all = weights.reduce((sum, each) => sum + each, 0)
  if (all === 0) return { current, baseline: pairs.at(-1)?.baseline ?? { of: 0, bad: 0 } }
  const parts = pairs.map(({ baseline: { of, bad } }, index) => ({
    of: (of * weights[index]) / all,
    bad: (bad * weights[index]) / all,
  }))
  return { current, baseline: sumOf(parts) }
}

/** A beta distribution of bad shares. */
interface Beta {
  a: number
  b: number
}

/** Maximum number of bisection steps. */
const MAX_BISECTIONS = 60

/**
 * Returns the prior over the shares of a version: half around the share of the previous version,
 * and half Jeffreys' prior. A version like the previous one is judged soon, any other one at the
 * price of log 2. The prior must be fixed before the first count.
 */
export function priorAround({ of, bad }: Sample): readonly Beta[] {
  const share = (bad + 0.5) / (of + 1)
  return [
    { a: 1, b: 1 / share - 1 },
    { a: 0.5, b: 0.5 },
  ]
}

/**
 * The bad share of a version while its sample grows, by the method of mixtures (Robbins 1970;
 * Howard, Ramdas, McAuliffe and Sekhon 2021, exact for Bernoulli counts). With M(p) = ∫ q^bad
 * (1-q)^good dπ(q) / (p^bad (1-p)^good), the ratio at the true share is a martingale that begins at
 * 1, so it ever reaches 1/error with a probability of at most `error` (Ville 1939). The shares
 * where it has not reached that form an interval that may be read at any time.
 */
export class GrowingShare {
  readonly #sample: Sample
  readonly #logMixture: number

  constructor(sample: Sample, prior: readonly Beta[]) {
    this.#sample = sample
    const { of, bad } = sample
    const logs = prior.map(({ a, b }) => logBeta(a + bad, b + (of - bad)) - logBeta(a, b))
    const most = Math.max(...logs)
    const sum = logs.reduce((all, each) => all + Math.exp(each - most), 0)
    this.#logMixture = most + Math.log(sum / prior.length)
  }

  /** Returns the logarithm of M: the evidence against a share. */
  logEvidence(share: number): number {
    const { of, bad } = this.#sample
    const good = of - bad
    return (
      this.#logMixture -
      (bad === 0 ? 0 : bad * Math.log(share)) -
      (good === 0 ? 0 : good * Math.log1p(-share))
    )
  }

  /**
   * Returns the logarithm of how much better the mixture predicts the sample than the previous
   * version does: the evidence that their shares differ. The prediction of the previous version is
   * weighted by how well its share is known (the beta-binomial distribution of its own counts).
   */
  logEvidenceOfChange(before: Sample): number {
    const { of, bad } = this.#sample
    const [a, b] = [before.bad + 0.5, before.of - before.bad + 0.5]
    return this.#logMixture - logBeta(a + bad, b + (of - bad)) + logBeta(a, b)
  }

  /**
   * Returns an upper bound of the share; the true share ever exceeds it with a probability of at
   * most `error`.
   */
  upper(error: number): number {
    const { of, bad } = this.#sample
    if (of === 0 || bad === of) return 1
    const limit = -Math.log(error)
    return bisect(bad / of, 1, (share) => this.logEvidence(share) < limit)
  }
}

/**
 * Returns the exact lower bound of the bad share in a sample of a fixed span (Clopper and Pearson
 * 1934), wrong with a probability of at most `error`.
 */
export function lowerOfFixed({ of, bad }: Sample, error: number): number {
  if (bad <= 0) return 0
  return bisect(0, bad / of, (share) => incompleteBeta(share, bad, of - bad + 1) < error)
}

/** Finds by bisection where a property that holds at `from` stops holding. */
function bisect(from: number, to: number, holds: (share: number) => boolean): number {
  let [low, high] = [from, to]
  for (let step = 0; step < MAX_BISECTIONS && high - low > high * 1e-10; step++) {
    const middle = (low + high) / 2
    if (holds(middle)) low = middle
    else high = middle
  }
  return high
}

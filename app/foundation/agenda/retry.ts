/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** When what failed is tried again. */
export interface RetryPolicy {
  /** Milliseconds from each failure to the next attempt; after that of the last there is none. */
  steps: readonly number[]
}

/** The largest share of a wait that chance may add to it; it never takes any away. */
export const MAX_JITTER = 0.1

/**
 * Milliseconds from the failure of attempt `made` (1 is the first) to the next one; null when
 * that was the last.
 * @param least what a provider asks to be spared
 */
export function retryWait(
  { steps }: RetryPolicy,
  made: number,
  random: Random,
  least = 0
): number | null {
  if (made > steps.length) return null
  return Math.floor(Math.max(steps[Math.max(made, 1) - 1], least) * (1 + MAX_JITTER * random()))
}

/** The same for what is never given up: the last step repeats. */
export function lastingWait(policy: RetryPolicy, made: number, random: Random, least = 0): number {
  return retryWait(policy, Math.min(made, policy.steps.length), random, least) ?? least
}

/** Milliseconds to the next look of an observation. */
export function nextInterval(
  { least, most }: { least: number; most: number },
  last: number | null,
  hasChanged: boolean
): number {
  if (hasChanged || last === null) return least
  return Math.min(Math.max(2 * last, least), most)
}

import type { Outcome } from '#foundation/jobs/handlers'
import { Problem } from '#foundation/core/problems/problem'
import { isProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'

const PASSING = new Set<string>([
  'rateLimited',
  'quotaExhausted',
  'timeout',
  'unavailable',
  'protocol',
] satisfies ProviderErrorCode[])

/** Returns whether a failure is transient. */
export const isPassing = (code: string) => PASSING.has(code)

/** Returns whether a refusal is of the moment: a conflict that names when to try again. */
export const isMomentary = (code: string, retryAfterMs = 0) =>
  code === 'conflict' && retryAfterMs > 0

/**
 * Makes a refusal retryable, because its cause may be fixed meanwhile: for instance, a key that
 * does not see an app yet.
 */
export const mendable = <Result>(outcome: Outcome<Result>): Outcome<Result> =>
  outcome.outcome === 'notApplied' ? { ...outcome, isFinal: false } : outcome

/** The reason that a plugin gives while it prepares something that takes longer than a call. */
const PREPARING = 'preparing'

/**
 * Makes a call to a provider, and returns its outcome for the command: whether it was applied, and
 * whether a retry makes sense. Rethrows errors that are neither problems nor failures of a
 * provider.
 */
export async function outcomeOfCall<Result>(call: () => Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { outcome: 'applied', result: await call() }
  } catch (error) {
    if (!(error instanceof Problem) && !isProviderError(error)) throw error
    const reason = error.message
    const cause = error instanceof Problem ? error.extras.cause : error
    // The connection or its plugin cannot be used, so no call was made.
    if (!isProviderError(cause)) return { outcome: 'notApplied', reason, isFinal: true }
    const { outcome, retryAfterMs } = cause.detail
    if (outcome !== 'notApplied') return { outcome: 'unknown', reason, retryAfterMs }
    if (cause.detail.reason === PREPARING) return { outcome, reason, isEarly: true, retryAfterMs }
    const isFinal = !isPassing(cause.code) && !isMomentary(cause.code, retryAfterMs)
    return { outcome, reason, isFinal, retryAfterMs }
  }
}

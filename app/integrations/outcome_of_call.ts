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

/**
 * Returns an outcome that a retry may change: whatever was refused may be mended, a key that does
 * not see an app yet for instance.
 */
export const mendable = <Answer>(outcome: Outcome<Answer>): Outcome<Answer> =>
  outcome.outcome === 'notApplied' ? { ...outcome, isFinal: false } : outcome

/** The reason of a plugin that gets something ready, which takes longer than anybody waits. */
const PREPARING = 'preparing'

/**
 * Returns the outcome of a call to a provider for the command that made it: whether it is known, and
 * whether a retry makes sense. An error that is no failure of a provider is rethrown.
 */
export async function outcomeOfCall<Answer>(call: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { outcome: 'applied', answer: await call() }
  } catch (error) {
    if (!(error instanceof Problem) && !isProviderError(error)) throw error
    const reason = error.message
    const cause = error instanceof Problem ? error.extras.cause : error
    // The connection or its plugin cannot be used: nobody was asked.
    if (!isProviderError(cause)) return { outcome: 'notApplied', reason, isFinal: true }
    const { outcome, retryAfterMs } = cause.detail
    if (outcome !== 'notApplied') return { outcome: 'unknown', reason, retryAfterMs }
    if (cause.detail.reason === PREPARING) return { outcome, reason, isEarly: true, retryAfterMs }
    return { outcome, reason, isFinal: !isPassing(cause.code), retryAfterMs }
  }
}

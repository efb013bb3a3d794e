import type { PortClock } from './clock.js'
import { classOf } from '../outbound-client/errors.js'
import { OutboundRefused } from '../outbound-client/guard.js'
import type { Reached } from '../plugin-kit/context.js'
import { ProviderError, type ProviderErrorCode } from '../plugin-kit/provider_error.js'
import { BreakerOpen, type Breaker, type Verdict } from './breaker.js'
import { CallFailure } from './call_failure.js'
import type { Transport } from './messages.js'

interface ReachPlan {
  transport: Pick<Transport, 'addressesOf'>
  clock: PortClock
  breaker: Breaker
  isForPerson: boolean
  /** Aborts when the caller no longer waits. */
  signal: AbortSignal
  /** Called with the result; a null code is a success. */
  made(made: { milliseconds: number; code: ProviderErrorCode | null; verdict: Verdict }): void
}

/** Wraps the error of a call, so that the breaker gets its verdict. */
const failed = (error: ProviderError, verdict: Verdict) => new CallFailure(error, true, verdict)

/**
 * Makes one call without our HTTP client: with checked addresses, behind the host's breaker, and
 * recorded.
 * @throws ProviderError; whatever the work throws
 */
export async function reach<Answer>(
  plan: ReachPlan,
  url: URL,
  to: Reached,
  work: (addresses: readonly string[]) => Promise<Answer>
): Promise<Answer> {
  const where = `${to.method} ${url.host}${to.path}`
  let thrown: { error: unknown } | null = null
  const began = performance.now()
  const reported = (code: ProviderErrorCode | null, verdict: Verdict) =>
    plan.made({ milliseconds: Math.round(performance.now() - began), code, verdict })
  try {
    return await plan.breaker.run(async () => {
      const addresses = await checkedAddresses(plan, url, where)
      const answer = await work(addresses).catch((error: unknown) => {
        thrown = { error }
        const code = to.codeOf(error) ?? 'protocol'
        throw failed(new ProviderError(code, where, { outcome: 'unknown' }), verdictOf(plan, code))
      })
      reported(null, null)
      return answer
    }, plan.isForPerson)
  } catch (error) {
    if (error instanceof BreakerOpen) {
      throw new ProviderError('unavailable', `${where}: the calls before it failed`, {
        outcome: 'notApplied',
        reason: 'breakerOpen',
        retryAfterMs: error.retryAfterMs,
      })
    }
    if (!(error instanceof CallFailure)) throw error
    reported(error.error.code, error.verdict)
    throw thrown === null ? error.error : (thrown as { error: unknown }).error
  }
}

function verdictOf({ signal }: ReachPlan, code: ProviderErrorCode): Verdict {
  if (signal.aborted) return 'givenUp'
  return code === 'unavailable' || code === 'timeout' ? 'outage' : null
}

async function checkedAddresses(
  { transport }: ReachPlan,
  url: URL,
  where: string
): Promise<string[]> {
  try {
    return await transport.addressesOf(url)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof OutboundRefused) {
      throw failed(
        new ProviderError('forbidden', `${where}: ${message}`, {
          outcome: 'notApplied',
          reason: 'hostNotAllowed',
        }),
        null
      )
    }
    const isName = classOf(error as Error) === 'dns'
    const what = isName ? 'the name has no address' : message
    throw failed(
      new ProviderError('unavailable', `${where}: ${what}`, { outcome: 'notApplied' }),
      'outage'
    )
  }
}

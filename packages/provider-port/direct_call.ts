import type { PortClock } from './clock.js'
import { classOf } from '../outbound-client/errors.js'
import { OutboundRefused } from '../outbound-client/guard.js'
import type { DirectAccess } from '../plugin-kit/context.js'
import { ProviderError, type ProviderErrorCode } from '../plugin-kit/provider_error.js'
import { BreakerOpen, type Breaker, type Verdict } from './breaker.js'
import { CallFailure } from './call_failure.js'
import type { Transport } from './messages.js'

interface DirectCallPlan {
  transport: Pick<Transport, 'addressesOf'>
  clock: PortClock
  breaker: Breaker
  isForPerson: boolean
  /** Aborts when the caller no longer waits. */
  signal: AbortSignal
  /** Records the result; a null code is a success. */
  record(result: { milliseconds: number; code: ProviderErrorCode | null; verdict: Verdict }): void
}

/** Wraps an error with its verdict for the breaker. */
const failureOf = (error: ProviderError, verdict: Verdict) => new CallFailure(error, true, verdict)

/**
 * Makes one call without the HTTP client of this package. It checks the addresses, uses the host's
 * breaker and records the result.
 * @throws ProviderError; any error of `work`
 */
export async function callDirectly<Result>(
  plan: DirectCallPlan,
  url: URL,
  access: DirectAccess,
  work: (addresses: readonly string[]) => Promise<Result>
): Promise<Result> {
  const where = `${access.method} ${url.host}${access.path}`
  let workError: { error: unknown } | null = null
  const began = performance.now()
  const record = (code: ProviderErrorCode | null, verdict: Verdict) =>
    plan.record({ milliseconds: Math.round(performance.now() - began), code, verdict })
  try {
    return await plan.breaker.run(async () => {
      const addresses = await checkedAddresses(plan, url, where)
      const result = await work(addresses).catch((error: unknown) => {
        workError = { error }
        const code = access.codeOf(error) ?? 'protocol'
        throw failureOf(
          new ProviderError(code, where, { outcome: 'unknown' }),
          verdictOf(plan, code)
        )
      })
      record(null, null)
      return result
    }, plan.isForPerson)
  } catch (error) {
    if (error instanceof BreakerOpen) {
      throw new ProviderError('unavailable', `${where}: earlier calls failed`, {
        outcome: 'notApplied',
        reason: 'breakerOpen',
        retryAfterMs: error.retryAfterMs,
      })
    }
    if (!(error instanceof CallFailure)) throw error
    record(error.error.code, error.verdict)
    throw workError === null ? error.error : (workError as { error: unknown }).error
  }
}

function verdictOf({ signal }: DirectCallPlan, code: ProviderErrorCode): Verdict {
  if (signal.aborted) return 'givenUp'
  return code === 'unavailable' || code === 'timeout' ? 'outage' : null
}

async function checkedAddresses(
  { transport }: DirectCallPlan,
  url: URL,
  where: string
): Promise<string[]> {
  try {
    return await transport.addressesOf(url)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof OutboundRefused) {
      throw failureOf(
        new ProviderError('forbidden', `${where}: ${message}`, {
          outcome: 'notApplied',
          reason: 'hostNotAllowed',
        }),
        null
      )
    }
    const isUnresolved = classOf(error as Error) === 'dns'
    const reason = isUnresolved ? 'the host name does not resolve' : message
    throw failureOf(
      new ProviderError('unavailable', `${where}: ${reason}`, { outcome: 'notApplied' }),
      'outage'
    )
  }
}

import type { Pause, PortClock } from './clock.js'
import { codeOfStatus, isRead, waitOfRate } from '../plugin-kit/answer_error.js'
import type { RatePolicy } from '../plugin-kit/manifest.js'
import type { Authenticator } from '../plugin-kit/port/door.js'
import {
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorDetail,
} from '../plugin-kit/provider_error.js'
import { BreakerOpen, type Breaker } from './breaker.js'
import type { Budgets } from './budgets.js'
import { CallFailure } from './call_failure.js'
import type { Outgoing, PortResponse, Transport } from './messages.js'
import { retryWaitOf, TOTAL_MS, type Failure } from '../plugin-kit/port/retrying.js'
import type { Slots } from './slots.js'
import { transfer } from './transfer.js'

/** The parts that all calls share. */
export interface CallDependencies {
  transport: Transport
  clock: PortClock
  pause: Pause
  random: () => number
  budgets: Budgets
  slots: Slots
  maxAttempts: number
  /** Reports an error that does not fail the call. */
  warn: (error: unknown) => void
}

/** The settings of one call. */
interface CallPlan {
  outgoing: Outgoing
  authenticator: Authenticator | null
  breaker: Breaker
  rate: RatePolicy
  budgetKey: string
  isForPerson: boolean
  /** The request is safe to repeat. */
  isRepeatable: boolean
  /** The request may make a change. */
  isChange: boolean
  /** Called with each attempt. */
  made(attempt: MadeAttempt): void
}

export interface MadeAttempt {
  attempt: number
  milliseconds: number
  remaining: number | null
  answer: PortResponse | null
  failure: CallFailure | null
  outcome: ProviderErrorDetail['outcome']
  /** The meaning of an unsuccessful answer. */
  code: ProviderErrorCode | null
}

/**
 * Longest wait for an exhausted budget; a call that would need longer fails with the time to wait.
 */
const MAX_BUDGET_WAIT_MS = 10_000

/** The pause after an exhausted quota without a reset time. */
const UNNAMED_PAUSE_MS = 300_000

/** One call with all its attempts. */
export class Call {
  readonly #beganAt: number
  #isRenewed = false
  #transferMs = 0
  /** An earlier attempt may have been applied. */
  #isInDoubt = false

  constructor(
    private readonly dependencies: CallDependencies,
    private readonly plan: CallPlan
  ) {
    this.#beganAt = dependencies.clock.milliseconds()
  }

  /** @throws ProviderError; the reason of the signal */
  async run(): Promise<PortResponse> {
    const { outgoing, authenticator, isRepeatable } = this.plan
    for (let attempt = 1; ; attempt++) {
      const result = await this.#try(attempt)
      if (!(result instanceof CallFailure)) {
        const mayRenew = result.status === 401 && !this.#isRenewed && this.#isReplayable
        if (mayRenew && authenticator?.renew()) {
          // A token may be revoked before it expires. A refused request was not applied, so it is
          // repeated.
          this.#isRenewed = true
          continue
        }
      }
      const failure = this.#failureOf(result)
      if (failure === null) return this.#reported(result as PortResponse)
      const wait = retryWaitOf(failure, {
        attempt,
        maxAttempts: this.dependencies.maxAttempts,
        isRepeatable,
        elapsedMs: this.#elapsed,
        random: this.dependencies.random,
      })
      if (wait === null || !this.#mayRepeat(result)) return this.#ended(result, failure)
      if (failure.outcome !== 'notApplied') this.#isInDoubt = true
      const isOver = await this.dependencies.pause(wait, outgoing.signal).then(
        () => false,
        () => true
      )
      if (isOver) return this.#ended(result, failure)
    }
  }

  get #elapsed(): number {
    return this.dependencies.clock.milliseconds() - this.#beganAt
  }

  /**
   * Returns whether another attempt makes sense: somebody still waits, and the failure came from a
   * call.
   */
  #mayRepeat(result: PortResponse | CallFailure): boolean {
    const isOver =
      result instanceof CallFailure &&
      (result.verdict === 'givenUp' || result.verdict === 'notCalled')
    return !isOver && this.#isReplayable
  }

  get #isReplayable(): boolean {
    const { body } = this.plan.outgoing
    return body === null || body instanceof Uint8Array
  }

  async #try(attempt: number): Promise<PortResponse | CallFailure> {
    const { plan } = this
    let remaining: number | null = null
    this.#transferMs = 0
    let result: PortResponse | CallFailure
    try {
      await this.#authenticate()
      remaining = await this.#admit()
      result = await this.#send()
    } catch (error) {
      if (error instanceof ProviderError) result = new CallFailure(error, false, 'notCalled')
      else if (error instanceof CallFailure) result = error
      else if (plan.outgoing.signal.aborted) result = this.#givenUp()
      else throw error
    }
    const response = result instanceof CallFailure ? result.answer : result
    if (response) await this.#hear(response)
    const failure = result instanceof CallFailure ? result : null
    const refusal = failure ? null : this.#failureOf(result)
    const outcome = failure?.error.detail.outcome ?? refusal?.outcome ?? 'applied'
    plan.made({
      attempt,
      milliseconds: Math.round(this.#transferMs),
      remaining,
      answer: response,
      failure,
      outcome,
      code: failure?.error.code ?? refusal?.code ?? null,
    })
    return result
  }

  async #authenticate(): Promise<void> {
    const { authenticator, outgoing } = this.plan
    if (!authenticator) return
    const headers = await authenticator.headers(outgoing.signal).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error
      // Whatever happened to the token request, this request was never sent.
      const { code, message, detail } = error
      throw new ProviderError(code, message, { ...detail, outcome: 'notApplied' })
    })
    for (const [name, value] of Object.entries(headers)) outgoing.headers.set(name, value)
  }

  /** Takes one call out of the budget. @returns the remaining calls */
  async #admit(): Promise<number> {
    const { budgetKey, rate, isForPerson, isChange, outgoing } = this.plan
    const { budgets, clock, pause } = this.dependencies
    for (;;) {
      const taken = await budgets.take(budgetKey, rate, clock.milliseconds(), {
        isForPerson,
        isChange,
      })
      if (taken.taken) return taken.remaining
      const { waitMs, why } = taken
      const isShort = waitMs <= MAX_BUDGET_WAIT_MS && this.#elapsed + waitMs < TOTAL_MS
      if (!isShort) {
        const code = why === 'paused' && waitMs > TOTAL_MS ? 'quotaExhausted' : 'rateLimited'
        const reported = why === 'paused' ? 'The provider wants a pause' : 'The budget is used up'
        throw new ProviderError(code, `${outgoing.method} ${outgoing.where}: ${reported}`, {
          outcome: 'notApplied',
          retryAfterMs: waitMs,
        })
      }
      await pause(waitMs, outgoing.signal)
    }
  }

  async #send(): Promise<PortResponse> {
    const { plan, dependencies } = this
    const { outgoing, budgetKey, rate, isForPerson, breaker } = plan
    const { signal, method, where } = outgoing
    const leave = await dependencies.slots.enter(budgetKey, rate.concurrency, {
      isForPerson,
      signal,
    })
    const now = () => dependencies.clock.milliseconds()
    try {
      return await breaker.run(async () => {
        const began = performance.now()
        return transfer(dependencies.transport, outgoing, now).finally(() => {
          this.#transferMs = performance.now() - began
        })
      }, isForPerson)
    } catch (error) {
      if (!(error instanceof BreakerOpen)) throw error
      throw new ProviderError('unavailable', `${method} ${where}: earlier calls failed`, {
        outcome: 'notApplied',
        reason: 'breakerOpen',
        retryAfterMs: error.retryAfterMs,
      })
    } finally {
      leave()
    }
  }

  async #hear({ status, rate }: PortResponse): Promise<void> {
    const code = status < 400 ? null : codeOfStatus(status, rate)
    const isPause = code === 'rateLimited' || code === 'quotaExhausted' || rate.isRefused
    const named = waitOfRate(rate)
    const unnamed = code === 'quotaExhausted' ? UNNAMED_PAUSE_MS : 0
    const { remaining, limit, resetMs } = rate
    const count = { pauseMs: isPause ? (named ?? unnamed) : 0, remaining, limit, resetMs }
    const { budgets, clock, warn } = this.dependencies
    // A failure to record the limits must not lose the answer.
    await budgets.hear(this.plan.budgetKey, count, clock.milliseconds()).catch(warn)
  }

  #givenUp(): CallFailure {
    const { method, where } = this.plan.outgoing
    const reported = `${method} ${where}: The caller no longer waits`
    const error = new ProviderError('timeout', reported, { outcome: 'notApplied' })
    return new CallFailure(error, false, 'givenUp')
  }

  /** Returns the failure of a result; null for a success. */
  #failureOf(result: PortResponse | CallFailure): Failure | null {
    if (result instanceof CallFailure) {
      const { error, wasConnected, answer: response } = result
      const { outcome } = error.detail
      const retryAfterMs = error.detail.retryAfterMs ?? (response && waitOfRate(response.rate))
      const failure = { code: error.code, outcome, wasConnected }
      return { ...failure, ...(retryAfterMs ? { retryAfterMs } : {}) }
    }
    if (result.status < 400) return null
    const { status, rate } = result
    const isSafe = isRead(this.plan.outgoing.method) || status < 500
    return {
      code: codeOfStatus(status, rate),
      outcome: isSafe ? 'notApplied' : 'unknown',
      wasConnected: true,
      retryAfterMs: waitOfRate(rate),
    }
  }

  /** Ends the call: returns the last answer if there is one, as `fetch` does; otherwise throws. */
  #ended(result: PortResponse | CallFailure, { retryAfterMs }: Failure): PortResponse {
    if (!(result instanceof CallFailure)) return this.#reported(result)
    if (result.answer) return this.#reported(result.answer)
    const { code, message, detail } = result.error
    // A refusal now says nothing about an earlier attempt without an answer.
    const isUndecided = this.#isInDoubt && detail.outcome === 'notApplied'
    throw new ProviderError(code, message, {
      ...detail,
      ...(isUndecided ? { outcome: 'unknown' as const } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    })
  }

  #reported(response: PortResponse): PortResponse {
    return this.#isInDoubt ? { ...response, isInDoubt: true } : response
  }
}

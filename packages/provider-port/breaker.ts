import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  CountBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
  type IBreaker,
} from 'cockatiel'
import type { BreakerState } from './records.js'

export interface BreakerOptions {
  /** Consecutive failures that open the breaker. */
  failures: number
  /** Milliseconds until one probe call is allowed; doubled after each failed probe. */
  coolDownMs: number
}

const MAX_COOL_DOWN_MS = 600_000

/**
 * Opens if half or more of the last 20 calls failed. Cockatiel opens only above the share, so it is
 * a little less than one half.
 */
const SAMPLE = 20
const SHARE = 0.5 - 1 / (2 * SAMPLE)

const STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'halfOpen',
  [CircuitState.Isolated]: 'open',
}

/**
 * The conclusion from a failure about the provider: `outage`, or nothing, because the caller gave
 * up or no call was made; null for a deliberate answer.
 */
export type Verdict = 'outage' | 'givenUp' | 'notCalled' | null

/** No call was made, because earlier ones failed. */
export class BreakerOpen extends Error {
  /** @param retryAfterMs milliseconds until one probe call is allowed */
  constructor(readonly retryAfterMs: number) {
    super('Those before it failed')
  }
}

/**
 * A circuit breaker for one connection and host. The state machine is cockatiel's; the time is the
 * service's clock, which may be virtual.
 */
export class Breaker {
  readonly #policy: CircuitBreakerPolicy
  #opensAgainAt = 0

  constructor(
    options: BreakerOptions,
    private readonly milliseconds: () => number,
    verdictOf: (error: unknown) => Verdict,
    changed: (breaker: Breaker) => void
  ) {
    const handled = handleWhen((error) => {
      const verdict = verdictOf(error)
      // An abandoned probe proves nothing, so it must not close the breaker.
      return verdict === 'outage' || (verdict === 'givenUp' && this.state === 'halfOpen')
    })
    this.#policy = circuitBreaker(handled, {
      breaker: new EitherBreaker([
        new ConsecutiveBreaker(options.failures),
        new CountBreaker({ threshold: SHARE, size: SAMPLE }),
      ]),
      halfOpenAfter: { next: () => this.#coolDown(options.coolDownMs) },
    })
    this.#policy.onStateChange(() => changed(this))
  }

  get state(): BreakerState {
    return STATES[this.#policy.state]
  }

  /**
   * Time until which no call is made, in milliseconds since the epoch; null while the breaker is
   * not open.
   */
  get openUntil(): number | null {
    return this.state === 'open' ? this.#opensAgainAt : null
  }

  /**
   * Makes a call, unless the breaker is open.
   * @param isUrgent makes the call even if the breaker is open; its success closes the breaker
   * @throws BreakerOpen, and what the call throws
   */
  async run<Result>(call: () => Promise<Result>, isUrgent: boolean): Promise<Result> {
    if (this.state === 'halfOpen') {
      // One probe is under way; other calls fail at once instead of waiting for it.
      if (!isUrgent) throw new BreakerOpen(0)
      return call()
    }
    if (this.state === 'open') {
      const wait = this.#opensAgainAt - this.milliseconds()
      if (wait > 0 && !isUrgent) throw new BreakerOpen(wait)
      this.#opensAgainAt = 0
    }
    return this.#policy.execute(call)
  }

  /**
   * Returns the cool-down in cockatiel's form. Cockatiel compares the duration with the machine's
   * clock, so it is either infinite or over.
   */
  #coolDown(milliseconds: number): Backoff {
    this.#opensAgainAt = this.milliseconds() + milliseconds
    const next = () => this.#coolDown(Math.min(2 * milliseconds, MAX_COOL_DOWN_MS))
    const isOver = () => this.milliseconds() >= this.#opensAgainAt
    return {
      next,
      get duration() {
        return isOver() ? -Infinity : Infinity
      },
    }
  }
}

interface Backoff {
  readonly duration: number
  next(): Backoff
}

/** Opens if any of several breakers does. */
class EitherBreaker implements IBreaker {
  state: unknown

  constructor(private readonly breakers: readonly IBreaker[]) {}

  success(state: CircuitState): void {
    for (const each of this.breakers) each.success(state)
  }

  failure(state: CircuitState): boolean {
    return this.breakers.map((each) => each.failure(state)).some(Boolean)
  }
}

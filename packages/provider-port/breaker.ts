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
  /** Failures in a row that open it. */
  failures: number
  /** Milliseconds until one call may try again; doubled after each that failed. */
  coolDownMs: number
}

const LONGEST_COOL_DOWN_MS = 600_000

/** Half or more of the last 20 calls: cockatiel compares for a larger share. */
const SAMPLE = 20
const SHARE = 0.5 - 1 / (2 * SAMPLE)

const STATES: Readonly<Record<CircuitState, BreakerState>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'halfOpen',
  [CircuitState.Isolated]: 'open',
}

/**
 * The conclusion from a failure about the provider: `outage`, or nothing because the caller gave up
 * or we did not call; null for an intended answer.
 */
export type Verdict = 'outage' | 'givenUp' | 'notCalled' | null

/** No call was made, because those before it failed. */
export class BreakerOpen extends Error {
  /** @param retryAfterMs until one call may try again */
  constructor(readonly retryAfterMs: number) {
    super('Those before it failed')
  }
}

/**
 * One circuit breaker, for one connection and host. The state machine is cockatiel's; the time is
 * the clock's of the service, so that whatever waits for it waits alike.
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
      // A probe that was given up proved nothing, so it closes nothing.
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

  /** Until when no call is made; null for a host that is called. Milliseconds since the epoch. */
  get openUntil(): number | null {
    return this.state === 'open' ? this.#opensAgainAt : null
  }

  /**
   * Makes a call, unless those before it failed.
   * @param isUrgent tries all the same; when it goes well the breaker is closed
   * @throws BreakerOpen, and what the call throws
   */
  async run<Result>(call: () => Promise<Result>, isUrgent: boolean): Promise<Result> {
    if (this.state === 'halfOpen') {
      // One call tries; the others need not wait for it to learn that they have to.
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
   * Returns the time the breaker stays open as cockatiel needs it: it compares with the machine's
   * clock, so the answer is all or nothing.
   */
  #coolDown(milliseconds: number): Backoff {
    this.#opensAgainAt = this.milliseconds() + milliseconds
    const next = () => this.#coolDown(Math.min(2 * milliseconds, LONGEST_COOL_DOWN_MS))
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

/** Opens when one of several would. */
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

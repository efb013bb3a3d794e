import type { PortClock } from './clock.js'
import { Breaker, type BreakerOptions } from './breaker.js'
import { CallFailure } from './call_failure.js'

/** Maximum number of breakers; the least recently used one goes first. */
const MAX_KEPT = 10_000

/** The circuit breakers of this process, by connection and host. */
export class Breakers {
  readonly #breakers = new Map<string, Breaker>()

  constructor(
    private readonly options: BreakerOptions,
    private readonly clock: PortClock
  ) {}

  /**
   * @param changed called when the breaker changes its state; used only if this call creates the
   * breaker
   */
  of(key: string, changed: (breaker: Breaker) => void): Breaker {
    const breaker =
      this.#breakers.get(key) ??
      new Breaker(
        this.options,
        () => this.clock.milliseconds(),
        (error) => (error instanceof CallFailure ? error.verdict : null),
        changed
      )
    this.#breakers.delete(key)
    this.#breakers.set(key, breaker)
    if (this.#breakers.size > MAX_KEPT) this.#breakers.delete(this.#breakers.keys().next().value!)
    return breaker
  }
}

/**
 * A point in time: RFC 3339, UTC, three fractional digits and `Z`
 * (`2026-11-20T18:50:14.123Z`). Text order is time order, so an instant is
 * stored, compared and sent as it is.
 */
export type Instant = string

/** The source of time for the whole service; nothing else may read the machine's clock. */
export interface Clock {
  now(): Instant
  /** Returns milliseconds since the epoch, for arithmetic. */
  milliseconds(): number
}

/**
 * Largest step back of the machine's clock that counts as jitter, in milliseconds; time stands
 * still during it.
 */
const JITTER_MS = 1000

/**
 * The time for which the process keeps its own time after the machine's clock was set back, in
 * milliseconds: longer than the longest lease, so that all current leases have ended by then.
 */
export const OWN_TIME_MS = 120_000

/**
 * The machine's clock, which may be set back. The process does not follow at once: for two minutes
 * its time continues as before. Then it follows the machine, because other processes and receivers
 * of signatures use the machine's time. See docs/decisions/0001-time.md.
 */
export class SystemClock implements Clock {
  #now = -Infinity
  #readAt = 0
  #behindSince: number | null = null

  /** @param machine milliseconds since the epoch @param steady milliseconds of a monotonic clock */
  constructor(
    private readonly machine = () => Date.now(),
    private readonly steady = () => performance.now()
  ) {}

  now(): Instant {
    return new Date(this.milliseconds()).toISOString()
  }

  milliseconds(): number {
    const steady = this.steady()
    this.#now = this.#next(this.machine(), steady)
    this.#readAt = steady
    return Math.floor(this.#now)
  }

  #next(machine: number, steady: number): number {
    const own = this.#now + (steady - this.#readAt)
    if (own - machine < JITTER_MS) {
      this.#behindSince = null
      return Math.max(this.#now, machine)
    }
    this.#behindSince ??= steady
    if (steady - this.#behindSince < OWN_TIME_MS) return own
    this.#behindSince = null
    return machine
  }
}

/** A clock that is set by its owner: for tests, demos and simulations. */
export class VirtualClock implements Clock {
  #milliseconds: number

  constructor(start: Instant) {
    this.#milliseconds = Date.parse(start)
  }

  now(): Instant {
    return new Date(this.#milliseconds).toISOString()
  }

  milliseconds(): number {
    return this.#milliseconds
  }

  /** Moves on by a number of milliseconds. */
  advance(milliseconds: number): void {
    this.#milliseconds += milliseconds
  }

  /** Jumps to an instant, forwards or back. */
  travelTo(instant: Instant): void {
    this.#milliseconds = Date.parse(instant)
  }
}

/** Returns the instant that lies a number of milliseconds after another. */
export function later(instant: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(instant) + milliseconds).toISOString()
}

/** Returns the instant that lies a number of milliseconds before another. */
export const earlier = (instant: Instant, milliseconds: number) => later(instant, -milliseconds)

/** Instants have four digits for the year. */
const LAST_MS = Date.UTC(9999, 0)

/** Parses a time in any usual format; null if it is missing or not a time. */
export function instantOf(text: string | null | undefined): Instant | null {
  const time = Date.parse(text ?? '')
  return time < LAST_MS ? new Date(time).toISOString() : null
}

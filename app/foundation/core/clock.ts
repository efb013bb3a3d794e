/**
 * A point in time: RFC 3339, UTC, three fractional digits and `Z`
 * (`2026-11-20T18:50:14.123Z`). Text order is time order, so an instant is
 * stored, compared and sent as it is.
 */
export type Instant = string

/** Where the service reads the time from; the only place that may ask the machine. */
export interface Clock {
  now(): Instant
  /** Milliseconds since the epoch, for arithmetic. */
  milliseconds(): number
}

/** The machine's clock. */
export class SystemClock implements Clock {
  now(): Instant {
    return new Date().toISOString()
  }

  milliseconds(): number {
    return Date.now()
  }
}

/** A clock that moves only when told to: for tests, demos and simulations. */
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

/** The instant that lies a number of milliseconds after another. */
export function later(instant: Instant, milliseconds: number): Instant {
  return new Date(Date.parse(instant) + milliseconds).toISOString()
}

/** Bytes that must arrive per interval; a slower sender never finishes. */
const MIN_BYTES = 1024

/** Checks that data keeps arriving: a byte now and then is not enough. */
export class Pace {
  readonly #timer: NodeJS.Timeout
  #seen = 0

  /** Calls `stalled` if less than a KiB arrives within the time. */
  constructor(withinMs: number, stalled: () => void) {
    this.#timer = setTimeout(stalled, withinMs)
  }

  /** Notes bytes that have arrived. */
  see(bytes: number): void {
    this.#seen += bytes
    if (this.#seen < MIN_BYTES) return
    this.#seen = 0
    this.#timer.refresh()
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

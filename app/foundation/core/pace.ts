/** Bytes that must arrive per interval; a slower sender never finishes. */
const LEAST_BYTES = 1024

/** Checks that data keeps arriving: a byte now and then is not enough. */
export class Pace {
  readonly #timer: NodeJS.Timeout
  #seen = 0

  /** @param withinMs in which a KiB has to arrive; else `stalled` is called */
  constructor(withinMs: number, stalled: () => void) {
    this.#timer = setTimeout(stalled, withinMs)
  }

  /** Bytes have arrived. */
  see(bytes: number): void {
    this.#seen += bytes
    if (this.#seen < LEAST_BYTES) return
    this.#seen = 0
    this.#timer.refresh()
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

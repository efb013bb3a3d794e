interface Waiting {
  start: () => void
  isForPerson: boolean
}

/**
 * From this number of slots on, one is reserved for people, in case background calls hang in all
 * others.
 */
const KEPT_FROM = 3

/** Returns the number of slots that background calls may use. */
const unreserved = (most: number) => (most < KEPT_FROM ? most : most - 1)

/** Limits concurrent calls per key; calls that people wait for go first. */
export class Slots {
  readonly #busy = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting[]>()

  /**
   * Waits for a slot.
   * @returns a function that frees the slot
   * @throws the signal's reason if it aborts first
   */
  async enter(
    key: string,
    most: number,
    { isForPerson, signal }: { isForPerson: boolean; signal: AbortSignal }
  ): Promise<() => void> {
    signal.throwIfAborted()
    const busy = this.#busy.get(key) ?? 0
    if (busy < (isForPerson ? most : unreserved(most))) this.#busy.set(key, busy + 1)
    else await this.#wait(key, isForPerson, signal)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      this.#leave(key, most)
    }
  }

  #wait(key: string, isForPerson: boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key) ?? []
      this.#waiting.set(key, waiting)
      const giveUp = () => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(signal.reason as Error)
      }
      const start = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const entry: Waiting = { start, isForPerson }
      signal.addEventListener('abort', giveUp, { once: true })
      const behind = isForPerson ? waiting.findIndex((each) => !each.isForPerson) : -1
      if (behind === -1) waiting.push(entry)
      else waiting.splice(behind, 0, entry)
    })
  }

  /** Passes the slot on to the next waiting call that may use it, or frees it. */
  #leave(key: string, most: number): void {
    const waiting = this.#waiting.get(key) ?? []
    const busy = (this.#busy.get(key) ?? 1) - 1
    const [next] = waiting
    if (next && (next.isForPerson || busy < unreserved(most))) {
      waiting.shift()
      if (waiting.length === 0) this.#waiting.delete(key)
      return next.start()
    }
    if (busy > 0) this.#busy.set(key, busy)
    else this.#busy.delete(key)
  }
}

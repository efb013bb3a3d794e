import type { Clock } from './world.js'

interface Sleeper {
  at: number
  wake: () => void
}

/** A clock that stands still until it is moved. */
export class VirtualClock implements Clock {
  #sleepers: Sleeper[] = []

  constructor(private time: number) {}

  now(): number {
    return this.time
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ at: this.time + milliseconds, wake })
    })
  }

  /** Moves the time, and wakes whoever waits until then, each at its own time. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.time + milliseconds
    for (let next = await this.#next(until); next; next = await this.#next(until)) {
      this.#sleepers = this.#sleepers.filter((each) => each !== next)
      this.time = next.at
      next.wake()
    }
    this.time = until
  }

  async #next(until: number): Promise<Sleeper | undefined> {
    // Those who were woken go to sleep again first.
    await new Promise((resolve) => setImmediate(resolve))
    return this.#sleepers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0]
  }
}

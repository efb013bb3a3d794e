import { waitedTooLong } from '../../core/database/unfinished.js'

/** The time a write waits for earlier ones, in milliseconds. */
const PATIENCE_MS = 15_000

/** Serializes writes to the same thing inside this process. */
export interface WriteQueue {
  /** @throws not_ready when too many wait already. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/**
 * Lets work with the same name begin in the order it came, some at once: whoever waits here
 * holds no connection of the database meanwhile.
 */
export class KeyedQueue implements WriteQueue {
  /** By name: the number of running writes, and those that wait. */
  readonly #queues = new Map<string, { atWork: number; waiting: (() => void)[] }>()

  /** @param atOnce how many may be at work under one name; the database's lock orders them */
  constructor(
    private readonly mostWaiting: number,
    private readonly atOnce = 1,
    private readonly patienceMs = PATIENCE_MS
  ) {}

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(name) ?? { atWork: 0, waiting: [] }
    this.#queues.set(name, queue)
    if (queue.atWork < this.atOnce) queue.atWork += 1
    else if (queue.waiting.length >= this.mostWaiting) throw waitedTooLong()
    else await this.#turn(queue.waiting)
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else queue.atWork -= 1
      if (queue.atWork === 0) this.#queues.delete(name)
    }
  }

  /** Waits until those before it are done. @throws not_ready when they take too long */
  #turn(waiting: (() => void)[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(waitedTooLong())
      }, this.patienceMs)
      waiting.push(begin)
    })
  }
}

/**
 * For a database that puts all transactions into one queue itself, and lets those that wait
 * share one: it only bounds how many wait for the same thing.
 */
export class BoundedQueue implements WriteQueue {
  readonly #waiting = new Map<string, number>()

  constructor(private readonly mostWaiting: number) {}

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = this.#waiting.get(name) ?? 0
    if (waiting > this.mostWaiting) throw waitedTooLong()
    this.#waiting.set(name, waiting + 1)
    try {
      return await work()
    } finally {
      const left = this.#waiting.get(name)! - 1
      if (left > 0) this.#waiting.set(name, left)
      else this.#waiting.delete(name)
    }
  }
}

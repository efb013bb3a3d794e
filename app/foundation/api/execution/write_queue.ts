import { waitedTooLong } from '../../core/database/unfinished.js'

/** The time a write waits for earlier ones, in milliseconds. */
const TIMEOUT_MS = 15_000

/** Serializes writes to the same thing inside this process. */
export interface WriteQueue {
  /** @throws not_ready when too many wait already. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/**
 * Starts work with the same name in the order of arrival, a few at a time. Waiting here occupies no
 * database connection.
 */
export class KeyedQueue implements WriteQueue {
  /** By name: the number of running writes, and those that wait. */
  readonly #queues = new Map<string, { atWork: number; waiting: (() => void)[] }>()

  /**
   * @param atOnce maximum running under one name; among these, the database's lock decides the
   * order
   */
  constructor(
    private readonly mostWaiting: number,
    private readonly atOnce = 1,
    private readonly patienceMs = TIMEOUT_MS
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

  /** Waits for a turn. @throws not_ready if that takes too long */
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
 * For SQLite, whose transactions already form one queue and share COMMITs: only limits how many
 * writes wait for the same thing.
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
      const remaining = this.#waiting.get(name)! - 1
      if (remaining > 0) this.#waiting.set(name, remaining)
      else this.#waiting.delete(name)
    }
  }
}

import { waitedTooLong } from '../../core/database/unfinished.js'

/** Maximum time in milliseconds that a write waits for earlier ones. */
const TIMEOUT_MS = 15_000

/** Serializes writes to the same target within this process. */
export interface WriteQueue {
  /** @throws not_ready if too many writes are already waiting */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

/**
 * Starts work with the same name in the order of arrival, a few at a time. Waiting work holds no
 * database connection.
 */
export class KeyedQueue implements WriteQueue {
  /** The number of running writes and the waiting ones, by name. */
  readonly #queues = new Map<string, { running: number; waiting: (() => void)[] }>()

  /**
   * @param concurrency maximum running writes per name; the database's lock decides their order
   */
  constructor(
    private readonly maxWaiting: number,
    private readonly concurrency = 1,
    private readonly timeoutMs = TIMEOUT_MS
  ) {}

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(name) ?? { running: 0, waiting: [] }
    this.#queues.set(name, queue)
    if (queue.running < this.concurrency) queue.running += 1
    else if (queue.waiting.length >= this.maxWaiting) throw waitedTooLong()
    else await this.#waitForTurn(queue.waiting)
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
      if (queue.running === 0) this.#queues.delete(name)
    }
  }

  /** Waits for a turn. @throws not_ready if that takes too long */
  #waitForTurn(waiting: (() => void)[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(waitedTooLong())
      }, this.timeoutMs)
      waiting.push(begin)
    })
  }
}

/**
 * Limits only how many writes wait for the same target. For SQLite, whose transactions already form
 * one queue and share COMMITs.
 */
export class BoundedQueue implements WriteQueue {
  readonly #waiting = new Map<string, number>()

  constructor(private readonly maxWaiting: number) {}

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const waiting = this.#waiting.get(name) ?? 0
    if (waiting > this.maxWaiting) throw waitedTooLong()
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

import { refuse } from '../../core/problems/problem.js'

const RETRY_SECONDS = '5'

/** How writes to the same thing wait for each other inside this process. */
export interface WriteQueue {
  /** @throws not_ready when too many wait already. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

function tooMany() {
  return refuse('not_ready', {
    detail: 'Too many writes to the same thing are waiting.',
    headers: { 'retry-after': RETRY_SECONDS },
  })
}

/**
 * Lets work with the same name follow each other, in the order it came: whoever waits here
 * holds no connection of the database meanwhile.
 */
export class KeyedQueue implements WriteQueue {
  /** What stands behind each name: the end of its last work, and how many wait for theirs. */
  readonly #queues = new Map<string, { last: Promise<unknown>; waiting: number }>()

  constructor(private readonly mostWaiting: number) {}

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(name)
    if (!queue) return this.#start(name, { last: Promise.resolve(), waiting: 0 }, work)
    if (queue.waiting >= this.mostWaiting) throw tooMany()
    queue.waiting += 1
    return this.#start(name, queue, async () => {
      queue.waiting -= 1
      return work()
    })
  }

  async #start<Result>(
    name: string,
    queue: { last: Promise<unknown>; waiting: number },
    work: () => Promise<Result>
  ): Promise<Result> {
    const result = queue.last.then(work)
    const settled = result.catch(() => {})
    queue.last = settled
    this.#queues.set(name, queue)
    try {
      return await result
    } finally {
      if (queue.last === settled) this.#queues.delete(name)
    }
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
    if (waiting > this.mostWaiting) throw tooMany()
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

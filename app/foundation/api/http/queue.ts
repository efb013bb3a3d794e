import { refuse } from '../../core/problems/problem.js'

/**
 * Lets work with the same name follow each other inside this process, in the order it
 * came: whoever waits here holds no connection of the database meanwhile.
 */
export class KeyedQueue {
  /** What stands behind each name: the end of its last work, and how many wait for theirs. */
  readonly #lines = new Map<string, { last: Promise<unknown>; waiting: number }>()

  constructor(private readonly mostWaiting: number) {}

  /** @throws not_ready when too many wait already. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(name)
    if (!line) return this.#start(name, { last: Promise.resolve(), waiting: 0 }, work)
    if (line.waiting >= this.mostWaiting) {
      throw refuse('not_ready', {
        detail: 'Too many writes to the same thing are waiting.',
        headers: { 'retry-after': '5' },
      })
    }
    line.waiting += 1
    return this.#start(name, line, async () => {
      line.waiting -= 1
      return work()
    })
  }

  async #start<Result>(
    name: string,
    line: { last: Promise<unknown>; waiting: number },
    work: () => Promise<Result>
  ): Promise<Result> {
    const result = line.last.then(work)
    const settled = result.catch(() => {})
    line.last = settled
    this.#lines.set(name, line)
    try {
      return await result
    } finally {
      if (line.last === settled) this.#lines.delete(name)
    }
  }
}

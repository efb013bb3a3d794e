import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '../api.js'

interface Written {
  appId: string
  releaseId: string
  itemIds: string[]
}

/** A client that sets items of a release to `passed` and back, one request after the other. */
export class Writer {
  #turn = 0

  /** @param release its items must be in progress; the last of them is never changed */
  constructor(
    private readonly api: Api,
    private readonly release: Written
  ) {}

  /**
   * Writes while some work runs.
   * @param rates gets the number of changes answered per second
   * @param most maximum of changes per second
   * @throws if a change is not answered with 2xx
   */
  async during<Result>(
    rates: number[],
    work: () => Promise<Result>,
    most = Infinity
  ): Promise<Result> {
    let isOver = false
    const began = performance.now()
    const before = this.#turn
    const result = work().finally(() => (isOver = true))
    const writing = (async () => {
      while (!isOver) {
        await this.#write()
        const due = began + ((this.#turn - before) * 1000) / most
        if (due > performance.now()) await pause(due - performance.now())
      }
    })()
    const [answer] = await Promise.all([result, writing])
    rates.push(((this.#turn - before) * 1000) / (performance.now() - began))
    return answer
  }

  async #write(): Promise<void> {
    const { appId, releaseId, itemIds } = this.release
    const count = itemIds.length - 1
    const status = Math.floor(this.#turn / count) % 2 === 0 ? 'passed' : 'inProgress'
    const path = `/app/${appId}/release/${releaseId}/checklistItem`
    await this.api.call('PUT', `${path}/${itemIds[this.#turn % count]}/status`, { status })
    this.#turn += 1
  }
}

import { yieldNow } from './yielding.js'

/** Maximum number of questions in one round. */
const MAX_PER_ROUND = 500

interface Waiting<Asked, Result> {
  asked: Asked
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Batches questions into rounds, one at a time. Questions that arrive during a round are asked
 * together in the next one, so that no answer is older than its question.
 */
export class InRounds<Asked, Result> {
  #waiting: Waiting<Asked, Result>[] = []
  #isUnderWay = false

  /** @param round answers all its questions, in their order */
  constructor(
    private readonly round: (requested: readonly Asked[]) => Promise<readonly Result[]>
  ) {}

  ask(requested: Asked): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked: requested, resolve, reject })
      if (this.#isUnderWay) return
      this.#isUnderWay = true
      // Requests of one turn of the event loop share a round.
      setImmediate(() => void this.#serve())
    })
  }

  async #serve() {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting.splice(0, MAX_PER_ROUND)
      try {
        const results = await this.round(waiting.map(({ asked: requested }) => requested))
        waiting.forEach(({ resolve }, index) => resolve(results[index]))
      } catch (error) {
        for (const { reject } of waiting) reject(error)
      }
      // Callers that were just answered often ask again at once; fewer, larger rounds cost less.
      await yieldNow()
    }
    this.#isUnderWay = false
  }
}

import { yieldNow } from './yielding.js'

/** Most that is asked in one round. */
const MOST = 500

interface Waiting<Asked, Answer> {
  asked: Asked
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * Asks in rounds, one at a time: what comes while a round is under way is asked together in the
 * next, so that each answer is of a time after its question.
 */
export class InRounds<Asked, Answer> {
  #waiting: Waiting<Asked, Answer>[] = []
  #isUnderWay = false

  /** @param round answers all that it is asked, in that order */
  constructor(private readonly round: (asked: readonly Asked[]) => Promise<readonly Answer[]>) {}

  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject })
      if (this.#isUnderWay) return
      this.#isUnderWay = true
      // Requests of one turn of the event loop share a round.
      setImmediate(() => void this.#serve())
    })
  }

  async #serve() {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting.splice(0, MOST)
      try {
        const answers = await this.round(waiting.map(({ asked }) => asked))
        waiting.forEach(({ resolve }, index) => resolve(answers[index]))
      } catch (error) {
        for (const { reject } of waiting) reject(error)
      }
      // Callers that were just answered often ask again at once; fewer, larger rounds cost less.
      await yieldNow()
    }
    this.#isUnderWay = false
  }
}

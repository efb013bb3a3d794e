import type { Settled, Settlement } from '#webhooks/delivery/endpoint_settling'
import type { SettleAttempts } from '#webhooks/delivery/settle_attempts'

/** Most attempts settled in one transaction. */
const MOST = 20

/** How often one goes with others while somebody else has its endpoint. */
const TURNS = 5

interface Waiting {
  settlement: () => Settlement
  settled: (settled: Settled | Promise<Settled>) => void
  turns: number
}

/**
 * Settles together what finishes while a transaction of others is under way. What cannot be
 * settled with the others is settled alone, so that nobody fails or waits because of another.
 */
export class SettleTogether {
  #waiting: Waiting[] = []
  #isPlanned = false
  #line: Promise<unknown> = Promise.resolve()

  constructor(private readonly attempts: Pick<SettleAttempts, 'handle' | 'handleAll'>) {}

  /** @param settlement asked for when its turn comes: room is what there is by then */
  handle(settlement: () => Settlement): Promise<Settled> {
    return new Promise((settled) => {
      this.#waiting.push({ settlement, settled, turns: 0 })
      this.#plan()
    })
  }

  /** Runs what would lock the same endpoints while nothing is settled. */
  between<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#line.then(work)
    this.#line = turn.catch(() => {})
    return turn
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.length === 0) return
    this.#isPlanned = true
    void this.between(() => {
      this.#isPlanned = false
      const group = this.#waiting.splice(0, MOST)
      this.#plan()
      return this.#settle(group)
    })
  }

  async #settle(group: readonly Waiting[]): Promise<void> {
    const settlements = group.map(({ settlement }) => settlement())
    const settleAlone = ({ settled }: Waiting, index: number) =>
      settled(this.attempts.handle(settlements[index]))
    try {
      const together = await this.attempts.handleAll(settlements)
      group.forEach((each, index) => {
        const settled = together[index]
        each.turns += 1
        if (settled) each.settled(settled)
        else if (each.turns < TURNS) this.#waiting.push(each)
        else settleAlone(each, index)
      })
      this.#plan()
    } catch (error) {
      if (group.length > 1) group.forEach(settleAlone)
      else group[0].settled(Promise.reject(error as Error))
    }
  }
}

import type { Settled, Settlement } from '#webhooks/delivery/endpoint_settling'
import type { SettleAttempts } from '#webhooks/delivery/settle_attempts'

/** Most attempts settled in one transaction. */
const MOST = 20

/** The number of times it is settled with others while somebody else holds its endpoint. */
const TURNS = 5

interface Waiting {
  settlement: () => Settlement
  settled: (settled: Settled | Promise<Settled>) => void
  turns: number
}

interface Asked {
  waiting: Waiting
  settlement: Settlement
}

/**
 * Returns what to settle now; nothing for entries that cannot be described, which fail by
 * themselves.
 */
function asked(waiting: Waiting): Asked[] {
  try {
    return [{ waiting, settlement: waiting.settlement() }]
  } catch (error) {
    waiting.settled(Promise.reject(error as Error))
    return []
  }
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

  async #settle(waiting: readonly Waiting[]): Promise<void> {
    const group = waiting.flatMap((each) => asked(each))
    if (group.length === 0) return
    const settleAlone = ({ waiting: { settled }, settlement }: Asked) =>
      settled(this.attempts.handle(settlement))
    try {
      const together = await this.attempts.handleAll(group.map(({ settlement }) => settlement))
      group.forEach((each, index) => {
        const settled = together[index]
        each.waiting.turns += 1
        if (settled) each.waiting.settled(settled)
        else if (each.waiting.turns < TURNS) this.#waiting.push(each.waiting)
        else settleAlone(each)
      })
      this.#plan()
    } catch (error) {
      if (group.length > 1) group.forEach(settleAlone)
      else group[0].waiting.settled(Promise.reject(error as Error))
    }
  }
}

import type { Settled, Settlement } from '#webhooks/delivery/endpoint_settling'
import type { SettleAttempts } from '#webhooks/delivery/settle_attempts'

/** The maximum number of attempts settled in one transaction. */
const MAX_GROUP = 20

/** After this many groups in which its endpoint was locked by others, an attempt is settled alone. */
const TURNS = 5

interface Waiting {
  settlement: () => Settlement
  settled: (settled: Settled | Promise<Settled>) => void
  turns: number
}

interface Ready {
  waiting: Waiting
  settlement: Settlement
}

/**
 * Returns the settlement of a waiting attempt, as a list. If making the settlement fails, rejects
 * the attempt and returns nothing.
 */
function ready(waiting: Waiting): Ready[] {
  try {
    return [{ waiting, settlement: waiting.settlement() }]
  } catch (error) {
    waiting.settled(Promise.reject(error as Error))
    return []
  }
}

/**
 * Settles attempts together that finish while another transaction is under way. An attempt that
 * cannot be settled in a group is settled alone, so that none fails or waits because of another.
 */
export class SettleTogether {
  #waiting: Waiting[] = []
  #isPlanned = false
  #queue: Promise<unknown> = Promise.resolve()

  constructor(private readonly attempts: Pick<SettleAttempts, 'handle' | 'handleAll'>) {}

  /** @param settlement called when the attempt's turn comes, so that it has the room of that time */
  handle(settlement: () => Settlement): Promise<Settled> {
    return new Promise((settled) => {
      this.#waiting.push({ settlement, settled, turns: 0 })
      this.#plan()
    })
  }

  /** Runs work that locks the same endpoints, while nothing is being settled. */
  between<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => {})
    return turn
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.length === 0) return
    this.#isPlanned = true
    void this.between(() => {
      this.#isPlanned = false
      const group = this.#waiting.splice(0, MAX_GROUP)
      this.#plan()
      return this.#settle(group)
    })
  }

  async #settle(waiting: readonly Waiting[]): Promise<void> {
    const group = waiting.flatMap((each) => ready(each))
    if (group.length === 0) return
    const settleAlone = ({ waiting: { settled }, settlement }: Ready) =>
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

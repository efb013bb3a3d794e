import type { Holders } from '#webhooks/delivery/claim_deliveries'
import type { Room } from '#webhooks/delivery/endpoint_turn'

/** Attempts at the same time in one process: first ones, and retries with probes, 75 : 25. */
export const WORKERS = { first: 15, retry: 5 }

/**
 * Milliseconds after which an attempt is slow. It waits on without a worker, so that slow
 * receivers, whether they succeed or not, keep nobody else waiting.
 */
export const SLOW_AFTER = 1000

/** Most slow attempts in one process: of one organization, and altogether. */
export const MOST_SLOW = { each: 20, all: 200 }

/** From how many workers on an organization lets others go first. */
const MANY = (WORKERS.first + WORKERS.retry) / 2

/** One worker while it is taken. */
export interface Worker {
  /** Room for one more attempt at the same endpoint, unless others may need the worker. */
  next(): Room | undefined
  /** Gives it back; quietly when it is taken again at once. */
  release(isQuiet?: boolean): void
}

/** The workers of this process and their load. */
export class Workers {
  readonly #busy = { first: 0, retry: 0 }
  readonly #held = new Map<string, number>()
  readonly #slow = new Map<string, number>()
  #slowInAll = 0

  constructor(private readonly onFree: () => void) {}

  /** Free workers. */
  get room(): Room {
    return {
      first: WORKERS.first - this.#busy.first,
      retry: WORKERS.retry - this.#busy.retry,
    }
  }

  /** Organizations that have as many slow attempts as they may, and those with many workers. */
  get holders(): Holders {
    return { full: above(this.#slow, MOST_SLOW.each), ahead: above(this.#held, MANY) }
  }

  take(share: keyof Room, organization: string): Worker {
    this.#busy[share] += 1
    count(this.#held, organization, 1)
    let isSlow = false
    const letGo = () => {
      this.#busy[share] -= 1
      count(this.#held, organization, -1)
    }
    const timer = setTimeout(() => {
      if (this.#slowInAll >= MOST_SLOW.all) return
      isSlow = true
      this.#slowInAll += 1
      count(this.#slow, organization, 1)
      letGo()
      this.onFree()
    }, SLOW_AFTER)
    return {
      next: () => {
        const isWanted = isSlow || this.room[share] <= 0
        if (isWanted || this.holders.full.includes(organization)) return undefined
        return { first: 0, retry: 0, [share]: 1 }
      },
      release: (isQuiet = false) => {
        clearTimeout(timer)
        if (isSlow) {
          this.#slowInAll -= 1
          count(this.#slow, organization, -1)
        } else letGo()
        if (!isQuiet) this.onFree()
      },
    }
  }
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by
  if (now === 0) counts.delete(key)
  else counts.set(key, now)
}

function above(counts: ReadonlyMap<string, number>, least: number): string[] {
  return [...counts].flatMap(([key, number]) => (number >= least ? [key] : []))
}

import type { Holders } from '#webhooks/delivery/claim_deliveries'
import type { Room } from '#webhooks/delivery/endpoint_turn'

/** Workers of one process: for first attempts, and for retries and probes. */
export const WORKERS = { first: 15, retry: 5 }

/**
 * The time after which an attempt counts as slow, in milliseconds. It continues without occupying a
 * worker, so that slow receivers do not delay others.
 */
export const SLOW_AFTER = 1000

/** The maximum numbers of slow attempts in one process: per organization, and in total. */
export const MAX_SLOW = { each: 20, all: 200 }

/** An organization with at least this many workers goes after the others. */
const MANY = (WORKERS.first + WORKERS.retry) / 2

/** A worker in use. */
export interface Worker {
  /**
   * Returns the room for one more attempt at the same endpoint, unless others may need the worker.
   */
  next(): Room | undefined
  /** Releases the worker; quietly, without `onFree`, if it is taken again at once. */
  release(isQuiet?: boolean): void
}

/** The workers of this process and their load. */
export class Workers {
  readonly #busy = { first: 0, retry: 0 }
  readonly #held = new Map<string, number>()
  readonly #slow = new Map<string, number>()
  #slowInAll = 0

  constructor(private readonly onFree: () => void) {}

  /** The numbers of free workers. */
  get room(): Room {
    return {
      first: WORKERS.first - this.#busy.first,
      retry: WORKERS.retry - this.#busy.retry,
    }
  }

  /** Organizations with the maximum number of slow attempts, and those with many workers. */
  get holders(): Holders {
    return { full: above(this.#slow, MAX_SLOW.each), ahead: above(this.#held, MANY) }
  }

  take(share: keyof Room, organization: string): Worker {
    this.#busy[share] += 1
    count(this.#held, organization, 1)
    let isSlow = false
    const freeWorker = () => {
      this.#busy[share] -= 1
      count(this.#held, organization, -1)
    }
    const timer = setTimeout(() => {
      if (this.#slowInAll >= MAX_SLOW.all) return
      isSlow = true
      this.#slowInAll += 1
      count(this.#slow, organization, 1)
      freeWorker()
      this.onFree()
    }, SLOW_AFTER)
    return {
      next: () => {
        const isNeededByOthers = isSlow || this.room[share] <= 0
        if (isNeededByOthers || this.holders.full.includes(organization)) return undefined
        return { first: 0, retry: 0, [share]: 1 }
      },
      release: (isQuiet = false) => {
        clearTimeout(timer)
        if (isSlow) {
          this.#slowInAll -= 1
          count(this.#slow, organization, -1)
        } else freeWorker()
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

import { draw, randomFrom, type HostileStore, type Random, type StoreCall } from '../core/index.js'

/** The time, which whoever tests decides. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  wait(milliseconds: number): Promise<void>
}

/** The fate of a request on its way. Times are milliseconds. */
export interface Fate {
  /** From the caller to the store. */
  there: number
  /** From the store to the caller. */
  back: number
  /**
   * An answer that never comes. `before`: the request does not arrive either. `late`: it arrives
   * after the caller has given up. `after`: it was applied.
   */
  lost?: 'before' | 'late' | 'after'
  /** Turned away before it is read. */
  turnedAway?: { code: 'unavailable' } | { code: 'rateLimited'; retryAfterMs: number }
}

/** Chooses what happens to a request; reads have no call. */
export type Fates = (request: { number: number; call: StoreCall | null }) => Fate

export interface WorldOptions {
  clock: Clock
  seed: number
  /** The time that a caller waits for an answer, in milliseconds. */
  givesUpAfter: number
  /** A request that arrives after the caller gave up arrives before this, in milliseconds. */
  arrivesBefore: number
  fates?: Fates
}

/** Stores by bundle id, the way to them, and who may use them. */
export class World {
  readonly #stores = new Map<string, HostileStore>()
  readonly #tokens = new Set<string>()
  readonly random: Random
  #requests = 0

  constructor(readonly options: WorldOptions) {
    this.random = randomFrom(options.seed)
  }

  open(bundleId: string, store: HostileStore): void {
    this.#stores.set(`${store.kind} ${bundleId}`, store)
  }

  storeOf(kind: HostileStore['kind'], bundleId: string): HostileStore | null {
    return this.#stores.get(`${kind} ${bundleId}`) ?? null
  }

  accept(token: string): void {
    this.#tokens.add(token)
  }

  revoke(token: string): void {
    this.#tokens.delete(token)
  }

  accepts(token: unknown): boolean {
    return typeof token === 'string' && this.#tokens.has(token)
  }

  fateOf(call: StoreCall | null): Fate {
    this.#requests += 1
    const { fates = roughFates(this.options.seed) } = this.options
    return fates({ number: this.#requests, call })
  }
}

/** Fates of a bad day: one request in ten has no answer, one in ten is turned away. */
export function roughFates(seed: number): Fates {
  return ({ number }) => {
    const chance = draw(seed, 'fate', number)
    const there = Math.round(draw(seed, 'there', number) * 2000)
    const back = Math.round(draw(seed, 'back', number) * 2000)
    if (chance < 0.03) return { there, back, lost: 'before' }
    if (chance < 0.06) return { there, back, lost: 'late' }
    if (chance < 0.1) return { there, back, lost: 'after' }
    if (chance < 0.16) return { there, back, turnedAway: { code: 'unavailable' } }
    if (chance < 0.2) {
      return { there, back, turnedAway: { code: 'rateLimited', retryAfterMs: 30_000 } }
    }
    return { there, back }
  }
}

const worlds = new Map<string, World>()

/** Makes a world that connections find by its name. */
export function openWorld(name: string, options: WorldOptions): World {
  const world = new World(options)
  worlds.set(name, world)
  return world
}

export function closeWorld(name: string): void {
  worlds.delete(name)
}

export const worldOf = (name: unknown): World | null =>
  (typeof name === 'string' && worlds.get(name)) || null

import type { RatePolicy } from '../plugin-kit/manifest.js'
import {
  heard,
  takeFrom,
  UNUSED,
  type AskedCall,
  type BudgetState,
  type ProviderCount,
  type Taken,
} from './budget.js'

/** The budgets that calls share, by key. */
export interface Budgets {
  take(key: string, rate: RatePolicy, nowMs: number, requested: AskedCall): Promise<Taken>
  hear(key: string, count: ProviderCount, nowMs: number): Promise<void>
}

/** Maximum number of budgets in memory; the least recently used one goes first. */
const MAX_KEPT = 10_000

/** Budgets of one process. */
export class MemoryBudgets implements Budgets {
  readonly #states = new Map<string, BudgetState>()

  async take(key: string, rate: RatePolicy, nowMs: number, requested: AskedCall): Promise<Taken> {
    const { state, taken } = takeFrom(this.#states.get(key) ?? UNUSED, rate, nowMs, requested)
    this.#keep(key, state)
    return taken
  }

  async hear(key: string, count: ProviderCount, nowMs: number): Promise<void> {
    this.#keep(key, heard(this.#states.get(key) ?? UNUSED, count, nowMs))
  }

  #keep(key: string, state: BudgetState): void {
    this.#states.delete(key)
    this.#states.set(key, state)
    if (this.#states.size > MAX_KEPT) this.#states.delete(this.#states.keys().next().value!)
  }
}

import type { Database } from '@adonisjs/lucid/database'
import { from, into } from '#foundation/core/database/from'
import { transact } from '#foundation/core/database/transact'
import type { RatePolicy } from '#plugin-kit/manifest'
import {
  heard,
  takeFrom,
  UNUSED,
  type AskedCall,
  type BudgetState,
  type ProviderCount,
  type Taken,
} from '#provider-port/budget'
import type { Budgets } from '#provider-port/budgets'

/** Returns whether an answer contains anything that a budget stores. */
const isNews = ({ pauseMs = 0, remaining, limit, resetMs }: ProviderCount, nowMs: number) =>
  heard(UNUSED, { pauseMs, remaining, limit, resetMs }, nowMs) !== UNUSED

/** Budgets of processes that share a database: one row per key, locked during a decision. */
export class DatabaseBudgets implements Budgets {
  constructor(private readonly database: Database) {}

  take(key: string, rate: RatePolicy, nowMs: number, requested: AskedCall): Promise<Taken> {
    return this.#change(key, nowMs, (before) => {
      const { state, taken } = takeFrom(before, rate, nowMs, requested)
      return { state, result: taken }
    })
  }

  async hear(key: string, count: ProviderCount, nowMs: number): Promise<void> {
    if (!isNews(count, nowMs)) return
    await this.#change(key, nowMs, (before) => ({
      state: heard(before, count, nowMs),
      result: null,
    }))
  }

  #change<Result>(
    key: string,
    nowMs: number,
    decide: (before: BudgetState) => { state: BudgetState; result: Result }
  ): Promise<Result> {
    return transact(this.database, async (client) => {
      // The write locks the row, even an existing one, so that no other process prunes it
      // meanwhile.
      await into(client.knexQuery(), 'provider_budgets')
        .insert({ key, state: JSON.stringify(UNUSED), used_at: nowMs })
        .onConflict('key')
        .merge(['used_at'])
      const row = () => from(client, 'provider_budgets').where('key', key)
      const stored = (await row().select('state').firstOrFail()) as { state: string }
      const before = JSON.parse(stored.state) as BudgetState
      const { state, result } = decide(before)
      if (state !== before) await row().update({ state: JSON.stringify(state) })
      return result
    })
  }
}

import { yieldToOthers } from './yielding.js'

/** A row whose stored state follows from facts. */
export interface Derivable {
  readonly id: string
}

/** Maximum number of rounds in which deriving may touch rows again; more is a bug in the rules. */
const MAX_ROUNDS = 5

/** The rows that a transaction touched and has not derived yet. */
export class RowsToDerive {
  readonly #rows = new Map<string, Derivable>()

  get isEmpty(): boolean {
    return this.#rows.size === 0
  }

  /** Adds a row; of several instances of one row, the last is derived. */
  add(row: Derivable): void {
    const key = `${row.constructor.name} ${row.id}`
    this.#rows.delete(key)
    this.#rows.set(key, row)
  }

  /** @throws Error if rows are still touched after the last round */
  async derive(derive: (row: Derivable) => Promise<void>): Promise<void> {
    for (let round = 0; !this.isEmpty; round++) {
      if (round === MAX_ROUNDS) throw new Error('The rules of derived state do not converge')
      const rows = [...this.#rows.values()]
      this.#rows.clear()
      for (const [index, row] of rows.entries()) {
        // Others are served between two rows.
        if (index > 0) await yieldToOthers()
        await derive(row)
      }
    }
  }
}

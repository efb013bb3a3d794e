import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { EVENTS_CHANNEL } from '#foundation/core/events/outbox'

/** Tells the workers of this process that there may be something to do. */
export class WakeSignal {
  #listeners = new Set<() => void>()

  on(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  emit(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** The signal of this process. */
export const wakeSignal = new WakeSignal()

/** Wakes the workers of every process once the transaction has committed. */
export async function wakeAfterCommit(client: TransactionClientContract): Promise<void> {
  if (client.dialect.name === 'postgres') {
    await client.rawQuery(`select pg_notify(?, '')`, [EVENTS_CHANNEL])
  }
  client.after('commit', () => wakeSignal.emit())
}

import emitter from '@adonisjs/core/services/emitter'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { EVENTS_CHANNEL } from '#foundation/core/events/event_statements'

declare module '@adonisjs/core/types' {
  interface EventsList {
    /** Announces work for the workers of this process that does not come from an event. */
    'webhooks:due': undefined
  }
}

/** Wakes the workers of every process once the transaction has committed. */
export async function wakeAfterCommit(client: TransactionClientContract): Promise<void> {
  if (client.dialect.name === 'postgres') {
    await client.rawQuery(`select pg_notify(?, '')`, [EVENTS_CHANNEL])
  }
  client.after('commit', () => void emitter.emit('webhooks:due', undefined))
}

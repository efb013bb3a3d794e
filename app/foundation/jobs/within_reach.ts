import { DAY } from '../core/durations.js'
import type { Database } from '@adonisjs/lucid/database'
import { later, type Clock } from '../core/clock.js'
import { change } from '../core/database/statement.js'
import { transact } from '../core/database/transact.js'
import type { Handler, Works } from './handlers.js'
import { MAX_JITTER } from './retry.js'

/** The longest delay that a provider may request, in milliseconds. */
const MAX_DELAY = DAY

const CLAMP = change(`update jobs set visible_at = :latest
  where nature = :nature and kind = :kind and visible_at > :latest
    and (claim_id is not null or attempts > 0 or nature in ('chore', 'observation'))`)

/**
 * Corrects leases, next attempts, looks and chores that a clock which was ahead has put too far
 * into the future. What was planned for a certain time keeps it.
 */
export class WithinReach {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly works: Works
  ) {}

  async handle(): Promise<void> {
    await transact(this.database, async (_client, _connection, statements) => {
      for (const { name: kind, nature, handler } of this.works.all()) {
        const latest = later(this.clock.now(), longestWait(handler))
        const natures = nature === 'command' ? ['urgent', nature] : [nature]
        for (const each of natures) {
          await statements.change(CLAMP, { nature: each, kind, latest })
        }
      }
    })
  }
}

/** Returns the longest time for which a begun job can be put off, in milliseconds. */
function longestWait(handler: Handler): number {
  const most = Math.max(handler.lease, ...handler.retry.steps) * (1 + MAX_JITTER)
  switch (handler.nature) {
    case 'timer':
      return most
    case 'command':
      return Math.max(most, MAX_DELAY)
    case 'observation':
      return Math.max(most, handler.every.most)
    case 'chore':
      return Math.max(most, handler.every)
  }
}

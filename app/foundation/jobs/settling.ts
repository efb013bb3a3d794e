import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@adonisjs/lucid/database'
import { endJob, type Claim, type End } from '../core/jobs/ends.js'
import type { Clock } from '../core/clock.js'
import { isPostgres } from '../core/database/connections.js'
import { transact } from '../core/database/transact.js'
import type { Trouble } from '../core/trouble.js'

/**
 * Records the end of an attempt, and retries that until the lease ends: a job whose end is not
 * recorded would be done again.
 */
export class Settling {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly trouble: Trouble,
    private readonly stopping: AbortSignal
  ) {}

  /** @throws when the lease is over, or the process stops, before the database stores it */
  async handle(claim: Claim, end: End): Promise<void> {
    const isShared = isPostgres(this.database)
    for (;;) {
      try {
        await transact(this.database, (_client, _connection, statements) =>
          endJob(statements, claim, end, this.clock.now(), isShared)
        )
        this.trouble.over('settling')
        return
      } catch (error) {
        this.trouble.met('settling', error)
        if (this.stopping.aborted || claim.visibleAt <= this.clock.now()) throw error
        await pause(this.trouble.wait, undefined, { signal: this.stopping }).catch(() => {})
      }
    }
  }
}

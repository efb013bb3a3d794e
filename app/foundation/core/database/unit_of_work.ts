import type { Emitter } from '@adonisjs/core/events'
import type { EventsList } from '@adonisjs/core/types'
import type { Database } from '@adonisjs/lucid/database'
import { JobQueue } from '../jobs/job_queue.js'
import type { Clock } from '../clock.js'
import { deriveRow } from '../derivation.js'
import { eventSubscribers } from '../events/subscribers.js'
import { Outbox, type StoredEvent } from '../events/outbox.js'
import type { Principal } from '../principal.js'
import { Scope } from '../scope.js'
import { isPostgres, readClient, type TransactionOptions } from './connections.js'
import type { SelectRunner } from './runner.js'
import { transact } from './transact.js'

/** Opens scopes: for reading, or for one transaction with its outbox. */
export class UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly selects: SelectRunner,
    private readonly emitter: Emitter<EventsList>,
    /** The address of the service, used in events (`config/app.ts`). */
    private readonly serviceUrl: string
  ) {}

  /** Returns a scope outside of any transaction. */
  readScope(principal: Principal): Scope {
    const selects = this.selects.forRequester?.() ?? this.selects
    return new Scope(principal, this.clock.now(), readClient(this.database), selects)
  }

  /**
   * Runs work in one transaction: its rows and its events commit together or not at all.
   * After the commit it emits `events:committed` for recorded events, and `jobs:due` if a planned
   * job is already due.
   */
  async inTransaction<Result>(
    principal: Principal,
    work: (scope: Scope) => Promise<Result>,
    options: Pick<TransactionOptions, 'isolationLevel' | 'together'> = {}
  ): Promise<Result> {
    const isShared = isPostgres(this.database)
    const { serviceUrl } = this
    let events: StoredEvent[] = []
    let isDue = false
    const result = await transact(
      this.database,
      async (client, _connection, statements) => {
        const now = this.clock.now()
        const outbox = new Outbox(statements, principal, now, { isShared, serviceUrl })
        const jobs = new JobQueue(statements, principal.organization.id, now, isShared)
        const open = { client, statements, outbox, jobs, derive: deriveRow }
        const scope = new Scope(principal, now, client, statements, open)
        const done = await work(scope)
        await scope.derive()
        const recorded = [...outbox.recorded]
        if (recorded.length > 0) {
          for (const each of eventSubscribers.all) await each.handle(scope, recorded)
          await scope.derive()
        }
        events = await outbox.flush()
        isDue = jobs.isDue
        return done
      },
      { ...options, overlaps: true }
    )
    // Not awaited: a failing listener must not make the committed write look failed.
    if (events.length > 0) void this.emitter.emit('events:committed', events)
    if (isDue) void this.emitter.emit('jobs:due', undefined)
    return result
  }
}

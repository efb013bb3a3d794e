import logger from '@adonisjs/core/services/logger'
import type { Database } from '@adonisjs/lucid/database'
import type { IsolationLevels } from '@adonisjs/lucid/types/database'
import type { Clock } from '../clock.js'
import { Outbox, type CommitListener } from '../events/outbox.js'
import { readerIn, type Reader } from './reader.js'
import { transact } from './transact.js'
import { Scope, type Actor, type Permissions, type Tenant } from '../scope.js'

/** Everything a scope needs but its connection. */
export interface Standing {
  organization: Tenant
  actor: Actor
  permissions: Permissions
}

/** What the service itself may do when no key asks: everything, in one organization. */
export const unrestricted: Permissions = {
  admin: true,
  actions: new Set(),
  groupIds: [],
  appIds: null,
}

/** Opens scopes: for reading, or for one transaction with its outbox. */
export class UnitOfWork {
  #listeners = new Set<CommitListener>()

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly reader: Reader
  ) {}

  /** Calls back after every commit that stored events. */
  onCommit(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  reading(standing: Standing): Scope {
    return new Scope(
      standing.organization,
      standing.actor,
      standing.permissions,
      this.clock.now(),
      this.database.connection(),
      this.reader
    )
  }

  /**
   * Runs work in one transaction: its rows, its events and whatever `seal` stores last
   * commit together or not at all.
   */
  async writing<Result>(
    standing: Standing,
    work: (scope: Scope) => Promise<Result>,
    seal?: (scope: Scope, result: Result) => Promise<void>,
    isolationLevel?: IsolationLevels
  ): Promise<Result> {
    const { result, events } = await transact(
      this.database,
      async (client) => {
        const now = this.clock.now()
        const outbox = new Outbox(client, standing.organization, standing.actor, now)
        const scope = new Scope(
          standing.organization,
          standing.actor,
          standing.permissions,
          now,
          client,
          readerIn(client),
          outbox
        )
        const done = await work(scope)
        const stored = await outbox.flush()
        await seal?.(scope, done)
        return { result: done, events: stored }
      },
      isolationLevel ? { isolationLevel } : undefined
    )
    if (events.length > 0) this.#tell(events)
    return result
  }

  /** The write is done: a listener that fails must not make it look as if it were not. */
  #tell(events: Parameters<CommitListener>[0]) {
    for (const listener of this.#listeners) {
      try {
        listener(events)
      } catch (error) {
        logger.error({ err: error }, 'a listener of committed events failed')
      }
    }
  }
}

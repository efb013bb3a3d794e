import emitter from '@adonisjs/core/services/emitter'
import db from '@adonisjs/lucid/services/db'
import { Type } from '@sinclair/typebox'
import type { jobs } from '#foundation/core/jobs/tables'
import { observationKind, timerKind, commandKind } from '#foundation/core/jobs/kinds'
import { SystemClock, VirtualClock } from '#foundation/core/clock'
import { UnitOfWork } from '#foundation/core/database/unit_of_work'
import type { StoredRowOf } from '#foundation/core/database/table'
import { alone, type Presence } from '#foundation/core/processes/presence'
import type { Scope } from '#foundation/core/scope'
import { selects } from '#foundation/core/services'
import { tenants } from '#organizations/queries/find_tenants'
import { makeWorld, type World } from '#tests/support/world'
import { Works, type Work } from '../../handlers.js'
import { makeWorker } from '../../make_worker.js'
import type { Worker } from '../../worker.js'

const payload = Type.Object({ note: Type.String() })
export const ring = timerKind('test.ring', payload)
export const order = commandKind('test.order', payload, 'shop')
export const watch = observationKind('test.watch', payload)

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const LEASE = 30 * SECOND

export type JobRow = StoredRowOf<typeof jobs>

/** An organization, workers with a virtual clock, and an otherwise empty job queue. */
export class Stage {
  readonly clock = new VirtualClock(new SystemClock().now())
  readonly log: string[] = []
  readonly works = new Works()
  readonly worker: Worker

  private constructor(
    readonly world: World,
    works: readonly Work[]
  ) {
    this.works.add(works)
    this.worker = this.another()
  }

  static async set(...works: Work[]): Promise<Stage> {
    await db.from('jobs').delete()
    return new Stage(await makeWorld(), works)
  }

  get unitOfWork(): UnitOfWork {
    return new UnitOfWork(db as never, this.clock, selects, emitter, '')
  }

  /** Another worker on the same database and clock, like that of another process. */
  another(
    unitOfWork: Pick<UnitOfWork, 'inTransaction' | 'readScope'> = this.unitOfWork,
    presence: Presence = alone
  ): Worker {
    const log = (_about: unknown, message?: string) => void this.log.push(message ?? '')
    return makeWorker({
      database: db as never,
      selects,
      unitOfWork,
      tenants,
      works: this.works,
      clock: this.clock,
      random: () => 0,
      presence,
      logger: { info: log, warn: log, error: log } as never,
    })
  }

  /** Runs work in one transaction of the organization, at the time of the stage. */
  write<Result>(work: (scope: Scope) => Promise<Result>, world = this.world): Promise<Result> {
    return this.unitOfWork.inTransaction(world.principal, work)
  }

  /** Advances the clock, and lets the worker carry out what is due. */
  async pass(milliseconds: number): Promise<number> {
    this.clock.advance(milliseconds)
    return this.worker.turn()
  }

  jobs(): Promise<JobRow[]> {
    return db.from('jobs').whereNot('nature', 'chore').orderBy('place')
  }
}

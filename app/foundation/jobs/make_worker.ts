import type { Logger } from '@adonisjs/core/logger'
import type { Database } from '@adonisjs/lucid/database'
import type { Clock } from '../core/clock.js'
import type { SelectRunner } from '../core/database/runner.js'
import type { UnitOfWork } from '../core/database/unit_of_work.js'
import { alone, type Presence } from '../core/processes/presence.js'
import type { Tenants } from '../core/principal.js'
import { Trouble } from '../core/trouble.js'
import { CarryOut } from './carry_out.js'
import { ClaimJobs } from './claim_jobs.js'
import type { Works } from './handlers.js'
import { FindDueWork } from './find_due_work.js'
import { PlanChores } from './plan_chores.js'
import type { Random } from './retry.js'
import { Settling } from './settling.js'
import { WithinReach } from './within_reach.js'
import { Worker } from './worker.js'

/** Returns a worker with all its parts. */
export function makeWorker(given: {
  database: Database
  selects: SelectRunner
  unitOfWork: Pick<UnitOfWork, 'inTransaction' | 'readScope'>
  tenants: Tenants
  works: Works
  clock: Clock
  random: Random
  presence?: Presence
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}): Worker {
  const { database, clock, works, logger, presence = alone } = given
  const stopping = new AbortController()
  const trouble = new Trouble('workers of the job queue', logger)
  const settling = new Settling(database, clock, trouble, stopping.signal)
  return new Worker({
    looks: new FindDueWork(given.selects),
    claims: new ClaimJobs(database, given.selects, clock, works),
    carryOut: new CarryOut({ ...given, settling, stopping: stopping.signal }),
    chores: new PlanChores(database, clock, works),
    reach: new WithinReach(database, clock, works),
    presence,
    trouble,
    clock,
    logger,
    stopping,
  })
}

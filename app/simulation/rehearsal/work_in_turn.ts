import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { ApplicationService } from '@adonisjs/core/types'
import { CarryOut } from '#foundation/jobs/carry_out'
import { ClaimJobs } from '#foundation/jobs/claim_jobs'
import { works } from '#foundation/jobs/handlers'
import { dueAt, FindDueWork } from '#foundation/jobs/find_due_work'
import { Settling } from '#foundation/jobs/settling'
import type { Claim } from '#foundation/core/jobs/ends'
import type { Nature } from '#foundation/core/jobs/kinds'
import { jobs } from '#foundation/core/jobs/tables'
import type { Clock, Instant } from '#foundation/core/clock'
import type { SelectRunner } from '#foundation/core/database/runner'
import { as, of, select } from '#foundation/core/database/statement'
import { instant } from '#foundation/core/database/table'
import { Trouble } from '#foundation/core/trouble'
import { measureKind } from '#rollouts/work_kinds'
import { tenants } from '#organizations/queries/find_tenants'

/** Maximum number of jobs at one instant; more means an endless chain of jobs. */
const MAX_JOBS = 5000

/** Maximum number of observations in a batch. */
const BATCH_SIZE = 16

/** Natures of work that advance a simulated world; the service's own housekeeping does not. */
const NATURES: readonly Nature[] = ['urgent', 'timer', 'command']

/**
 * Observations that run at their own times, in that order: failed ones, and the measurements of
 * rollout guards. A guard that measured less often than in the service would decide differently.
 */
const TIMED = select(
  { ...of(jobs, 'e', ['id', 'kind']), at: as(instant(), 'e.visible_at') },
  `from jobs e
  where e.nature = 'observation' and (e.attempts > 0 or e.kind = '${measureKind.name}')
    and e.visible_at is not null
  order by e.visible_at limit ${BATCH_SIZE}`
)

const FAILING = select(
  of(jobs, 'e', ['id', 'lastError']),
  'from jobs e where e.id in json(:ids) and e.attempts > 0'
)

/**
 * Runs the jobs of the queue one after the other, ordered by due time. With concurrent workers, the
 * order would differ between rehearsals.
 */
export class WorkInTurn {
  private constructor(
    private readonly selects: SelectRunner,
    private readonly dueWork: FindDueWork,
    private readonly claims: ClaimJobs,
    private readonly carryOut: CarryOut,
    private readonly clock: Clock,
    /** Writes the pending logs of calls; their real timers would write them at any time. */
    private readonly flushLogs: () => Promise<unknown>
  ) {}

  static async of({ container }: ApplicationService, random: () => number): Promise<WorkInTurn> {
    const database = await container.make('lucid.db')
    const clock = await container.make('clock')
    const logger = await container.make('logger')
    const { signal } = new AbortController()
    const trouble = new Trouble('the work of a rehearsal', logger)
    const carryOut = new CarryOut({
      unitOfWork: await container.make('unitOfWork'),
      tenants,
      works,
      settling: new Settling(database, clock, trouble, signal),
      clock,
      random,
      logger,
      stopping: signal,
    })
    const selects = await container.make('selects')
    const dueWork = new FindDueWork(selects)
    const log = await container.make('integrations.log')
    const results = await container.make('integrations.answers')
    const flushLogs = async () => {
      await log.flush()
      await results.flush()
    }
    const claims = new ClaimJobs(database, selects, clock, works)
    return new WorkInTurn(selects, dueWork, claims, carryOut, clock, flushLogs)
  }

  /**
   * Carries out all due work.
   * @param isObserving true to carry out observations of providers, too
   * @returns the number of jobs
   */
  async handle(isObserving: boolean): Promise<number> {
    let done = await this.#runDueJobs(0)
    for (let claimed = 1; isObserving && claimed > 0;) {
      // Claims observations in batches, as a worker does, but runs them one by one.
      const observations = inOrder(await this.#claim('observation', BATCH_SIZE))
      done = await this.#observe(observations, done)
      claimed = observations.length
    }
    await this.flushLogs()
    return done
  }

  /**
   * Carries out the due observations that run at their own times.
   * @returns the number of jobs, without observations that failed again for the same reason
   */
  async handleTimed(): Promise<number> {
    const now = this.clock.now()
    const due = (await this.selects.rows(TIMED, {})).filter(({ at }) => at <= now)
    const observations = inOrder(await this.claims.those(due))
    const done = await this.#observe(observations, 0)
    await this.flushLogs()
    const ids = JSON.stringify(observations.map(({ id }) => id))
    const reasons = new Map(observations.map(({ id, lastError }) => [id, lastError]))
    const failing = await this.selects.rows(FAILING, { ids })
    return done - failing.filter(({ id, lastError }) => lastError === reasons.get(id)).length
  }

  /** Returns the earliest due time of an observation that runs at its own time; null for none. */
  async timedAt(): Promise<Instant | null> {
    const [first] = await this.selects.rows(TIMED, {})
    return first?.at ?? null
  }

  /**
   * Carries out observations, each with the work that follows from it.
   * @returns the new count of jobs
   */
  async #observe(observations: readonly Claim[], before: number): Promise<number> {
    let done = before
    for (const observation of observations) {
      await this.#carryOut(observation)
      done = await this.#runDueJobs(done + 1)
    }
    return done
  }

  /** Carries out due work other than observations. @returns the new count of jobs */
  async #runDueJobs(before: number): Promise<number> {
    for (let done = before; done < MAX_JOBS; done++) {
      const due = dueAt(await this.dueWork.handle(), this.clock.now())
      const nature = due.find((each) => NATURES.includes(each))
      const [claim] = nature ? await this.#claim(nature, 1) : []
      if (!claim) return done
      await this.#carryOut(claim)
    }
    throw new Error(`The job queue does not become empty at ${this.clock.now()}`)
  }

  async #claim(nature: Nature, room: number): Promise<Claim[]> {
    return (await this.claims.handle(nature, room, new Map())).claimed
  }

  #carryOut(claim: Claim): Promise<void> {
    return this.carryOut.handle(claim, new AbortController().signal)
  }

  /** Returns when the next work is due; null if nothing is planned. */
  async nextAt(): Promise<Instant | null> {
    const due = await this.dueWork.handle()
    return NATURES.map((nature) => due[nature]).reduce(
      (first, at) => (first === null || (at !== null && at < first) ? at : first),
      null
    )
  }
}

/** Sorts claims by due time, and those of one time in the order of planning. */
function inOrder(claimed: readonly Claim[]): Claim[] {
  const dueOf = ({ dueAt: at }: Claim) => at ?? ''
  return claimed.toSorted(
    (one, other) => compareTexts(dueOf(one), dueOf(other)) || one.place - other.place
  )
}

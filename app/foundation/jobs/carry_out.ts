import type { Logger } from '@adonisjs/core/logger'
import { type Claim, type End } from '../core/jobs/ends.js'
import { fits } from '../core/jobs/fits.js'
import { later, type Clock } from '../core/clock.js'
import type { UnitOfWork } from '../core/database/unit_of_work.js'
import { discardUnlessReferenced } from '../core/files/stored_files.js'
import { ALONE, type Life } from '../core/processes/presence.js'
import { unrestricted, type Principal, type Tenant, type Tenants } from '../core/principal.js'
import type { Scope } from '../core/scope.js'
import { callWithDeadline, CUT } from './call_with_deadline.js'
import { UNKNOWN_LEASE } from './claim_jobs.js'
import {
  jobOf,
  type Chore,
  type Job,
  type ObservationHandler,
  type Outcome,
  type TimerHandler,
  type CommandHandler,
  type Works,
} from './handlers.js'
import { lastingWait, nextInterval, retryWait, type Random } from './retry.js'
import type { Settling } from './settling.js'

/** The share of a lease that a call may take; the rest is for recording its result. */
const CALL_SHARE = 0.75

const NEVER_ENDED = 'The last attempt never ended'

/** The claim was lost: the transaction must be rolled back. */
class ClaimLost extends Error {
  constructor() {
    super('The claim is lost')
  }
}

interface CarryOutDependencies {
  unitOfWork: Pick<UnitOfWork, 'inTransaction' | 'readScope'>
  tenants: Tenants
  works: Works
  settling: Settling
  clock: Clock
  random: Random
  logger: Pick<Logger, 'warn' | 'error'>
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal
}

type Acting = Pick<TimerHandler, 'actor' | 'isAutomation'> & Pick<CommandHandler, 'onBehalfOf'>
type Fenced = Acting & Pick<TimerHandler, 'lock'>
type Retrying = TimerHandler | CommandHandler

const unknown = (reason: string): Outcome<unknown> => ({ outcome: 'unknown', reason })
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Runs one claimed job. Its result is stored in one transaction, which also ends the job if the
 * claim still holds it. Calls are made outside of any transaction.
 */
export class CarryOut {
  /**
   * The organizations of the running jobs. They can be cached, because the jobs and claims of a
   * deleted organization are deleted, too.
   */
  readonly #organizations = new WeakMap<Claim, Tenant>()

  constructor(private readonly dependencies: CarryOutDependencies) {}

  /**
   * @param cut aborted when the process cannot wait any longer, or its claims were taken over
   * @param life the life under which the job was claimed
   */
  async handle(claim: Claim, cut: AbortSignal, life: Life = ALONE): Promise<void> {
    const work = this.dependencies.works.get(claim.kind)
    if (!work) {
      // A newer version of the service planned this job, and will run it.
      return this.#write(claim, { how: 'released', at: this.#in(UNKNOWN_LEASE), isKnown: true })
    }
    const { handler } = work
    if (handler.nature === 'chore') return this.#chore(claim, handler, cut)
    if (!(await fits(work.payload!, claim.payload))) {
      const error = 'The payload does not match the schema of its kind'
      this.dependencies.logger.error({ job: claim.id, kind: claim.kind }, error)
      return this.#write(claim, { how: 'failed', error })
    }
    switch (handler.nature) {
      case 'timer':
        return this.#timer(claim, handler)
      case 'command':
        return this.#command(claim, handler, cut, life)
      case 'observation':
        return this.#observation(claim, handler, cut)
    }
  }

  async #timer(claim: Claim, handler: TimerHandler): Promise<void> {
    if (exceedsAttempts(claim, handler)) return this.#giveUp(claim, handler, NEVER_ENDED)
    try {
      await this.#fenced(claim, handler, async (scope, job) => {
        await handler.act(scope, job)
        return { end: { how: 'done' } }
      })
    } catch (error) {
      await this.#failed(claim, handler, error, { isKnown: true })
    }
  }

  async #command(
    claim: Claim,
    handler: CommandHandler,
    cut: AbortSignal,
    life: Life
  ): Promise<void> {
    const outcome = await this.#callOrFind(claim, handler, cut, life)
    // An interrupted call may have been applied nevertheless.
    if (outcome === CUT) return this.#release(claim)
    if (outcome.outcome === 'applied') return this.#answer(claim, handler, outcome.result)
    const isKnown = outcome.outcome === 'notApplied'
    if (outcome.outcome === 'notApplied' && outcome.isFinal) {
      return this.#giveUp(claim, handler, outcome.reason)
    }
    const minWait = outcome.retryAfterMs
    if (outcome.outcome === 'notApplied' && outcome.isEarly) {
      const at = this.#in(Math.max(minWait ?? 0, handler.retry.steps[0] ?? 0))
      const error = outcome.reason
      return this.#write(claim, { how: 'released', at, isKnown: true, error })
    }
    await this.#failed(claim, handler, new Error(outcome.reason), { isKnown, minWait })
  }

  /** Makes the call. A command in doubt is first polled up at the provider. */
  async #callOrFind(claim: Claim, handler: CommandHandler, cut: AbortSignal, life: Life) {
    const { unitOfWork } = this.dependencies
    const timeoutMs = this.#callTime(handler.lease)
    const withDeadline = (request: CommandHandler['call']) =>
      callWithDeadline<Outcome<unknown>>(
        async (signal) => {
          const principal = await this.#principal(claim, handler)
          return request(jobOf(claim), {
            signal,
            scope: await unitOfWork.readScope(principal),
            write: (work) => unitOfWork.inTransaction(principal, work),
          })
        },
        { cut, timeoutMs },
        unknown
      )
    if (jobOf(claim).isInDoubt && 'find' in handler) {
      const found = await withDeadline((job, context) => handler.find(job, context))
      if (found === CUT || found.outcome !== 'notApplied') return found
    }
    if (exceedsAttempts(claim, handler)) return unknown(NEVER_ENDED)
    // If this process was suspended, another one may be making the call already.
    if (!life.isSure()) return CUT
    return withDeadline((job, context) => handler.call(job, context))
  }

  async #answer(claim: Claim, handler: CommandHandler, result: unknown): Promise<void> {
    try {
      await discardUnlessReferenced(
        async () => handler.discard?.(result),
        () =>
          this.#fenced(claim, handler, async (scope, job) => {
            const kept = await handler.storeResult(scope, job, result)
            return { end: { how: 'done' }, kept }
          }),
        (kept) => handler.isKept?.(kept) ?? true
      )
    } catch (error) {
      await this.#failed(claim, handler, error, { isKnown: false })
    }
  }

  async #observation(claim: Claim, handler: ObservationHandler, cut: AbortSignal): Promise<void> {
    const polled = await callWithDeadline<{ observation: unknown } | { reason: string }>(
      async (signal) => {
        const scope = await this.#readScope(claim, handler)
        return { observation: await handler.poll(jobOf(claim), { signal, scope }) }
      },
      { cut, timeoutMs: this.#callTime(handler.lease) },
      (reason) => ({ reason })
    )
    if (polled === CUT) return this.#release(claim)
    if ('reason' in polled) return this.#retryLater(claim, handler, polled.reason)
    try {
      await this.#fenced(claim, handler, async (scope, job) => {
        const seen = await handler.store(scope, job, polled.observation)
        if (seen === 'over') return { end: { how: 'done' } }
        const intervalMs = nextInterval(handler.every, claim.intervalMs, seen === 'changed')
        return { end: { how: 'again', at: later(scope.now, intervalMs), intervalMs } }
      })
    } catch (error) {
      if (error instanceof ClaimLost) return
      await this.#retryLater(claim, handler, messageOf(error))
    }
  }

  async #chore(claim: Claim, handler: Chore, cut: AbortSignal): Promise<void> {
    const until = performance.now() + this.#callTime(handler.lease)
    try {
      const { stopping } = this.dependencies
      const mayContinue = () => !stopping.aborted && !cut.aborted && performance.now() < until
      const { hasMore } = await handler.run(mayContinue)
      await this.#write(claim, { how: 'again', at: this.#in(hasMore ? 0 : handler.every) })
    } catch (error) {
      await this.#retryLater(claim, handler, messageOf(error))
    }
  }

  /** Schedules a retry of a job that is never given up. */
  async #retryLater(
    claim: Claim,
    { retry }: Chore | ObservationHandler,
    error: string
  ): Promise<void> {
    const { logger, random } = this.dependencies
    const at = this.#in(lastingWait(retry, claim.attempts, random))
    if (claim.attempts > retry.steps.length) {
      logger.warn({ job: claim.id, kind: claim.kind, error }, 'A job keeps failing')
    }
    await this.#write(claim, { how: 'putOff', at, error, isKnown: true })
  }

  async #failed(
    claim: Claim,
    handler: Retrying,
    error: unknown,
    { isKnown, minWait }: { isKnown: boolean; minWait?: number }
  ): Promise<void> {
    if (error instanceof ClaimLost) return
    const wait = retryWait(handler.retry, claim.attempts, this.dependencies.random, minWait)
    const reason = messageOf(error)
    if (wait === null) return this.#giveUp(claim, handler, reason)
    await this.#write(claim, { how: 'putOff', at: this.#in(wait), error: reason, isKnown })
  }

  async #giveUp(claim: Claim, handler: Retrying, reason: string): Promise<void> {
    const context = { job: claim.id, kind: claim.kind, subject: claim.subject, reason }
    this.dependencies.logger.warn(context, 'A job was given up')
    const end: End = { how: 'failed', error: reason }
    try {
      await this.#fenced(claim, handler, async (scope, job) => {
        await handler.afterLast?.(scope, job, reason)
        return { end }
      })
    } catch (error) {
      if (error instanceof ClaimLost) return
      this.dependencies.logger.error({ ...context, err: error }, 'The failure could not be handled')
      await this.#write(claim, end)
    }
  }

  /**
   * Runs work in one transaction of the job's organization: takes the handler's lock, checks that
   * this claim still holds the job, and ends the job in the same transaction.
   * @throws ClaimLost
   */
  async #fenced(
    claim: Claim,
    handler: Fenced,
    work: (scope: Scope, job: Job) => Promise<{ end: End; kept?: unknown }>
  ): Promise<unknown> {
    const job = jobOf(claim)
    return this.dependencies.unitOfWork.inTransaction(
      await this.#principal(claim, handler),
      async (scope) => {
        await handler.lock?.(scope, job)
        const state = await scope.jobs.claimState(claim)
        if (state === 'lost') throw new ClaimLost()
        const { end, kept } =
          state === 'moved' ? { end: { how: 'done' } as const } : await work(scope, job)
        if (!(await scope.jobs.end(claim, end))) throw new ClaimLost()
        return kept
      }
    )
  }

  async #readScope(claim: Claim, handler: Acting): Promise<Scope> {
    return this.dependencies.unitOfWork.readScope(await this.#principal(claim, handler))
  }

  async #principal(claim: Claim, handler: Acting): Promise<Principal> {
    const known = this.#organizations.get(claim)
    const organization = known ?? (await this.dependencies.tenants.find(claim.organizationId!))
    // The organization was deleted, and its jobs with it.
    if (!organization) throw new ClaimLost()
    this.#organizations.set(claim, organization)
    const type = handler.isAutomation ? ('automation' as const) : ('system' as const)
    const handlerActor = { type, id: null, name: handler.actor }
    const actor = handler.onBehalfOf?.(jobOf(claim)) ?? handlerActor
    return { organization, actor, permissions: unrestricted }
  }

  #release(claim: Claim): Promise<void> {
    return this.#write(claim, { how: 'released', at: this.#in(0), isKnown: false })
  }

  async #write(claim: Claim, end: End): Promise<void> {
    await this.dependencies.settling.handle(claim, end)
  }

  #in(milliseconds: number) {
    return later(this.dependencies.clock.now(), milliseconds)
  }

  #callTime(lease: number): number {
    return lease * CALL_SHARE
  }
}

/** Returns whether this attempt exceeds the limit, because earlier ones never ended. */
function exceedsAttempts({ attempts }: Claim, { retry }: Retrying): boolean {
  return attempts > retry.steps.length + 1
}

import { setImmediate as turn } from 'node:timers/promises'
import type { Logger } from '@adonisjs/core/logger'
import type { Claim } from '../core/jobs/ends.js'
import type { Nature } from '../core/jobs/kinds.js'
import type { Clock, Instant } from '../core/clock.js'
import { coalesced } from '../core/coalesced.js'
import type { Life, Presence } from '../core/processes/presence.js'
import type { Trouble } from '../core/trouble.js'
import type { CarryOut } from './carry_out.js'
import type { ClaimJobs } from './claim_jobs.js'
import { dueAt, type FindDueWork } from './find_due_work.js'
import type { PlanChores } from './plan_chores.js'
import { ROOM } from './share_out.js'
import type { WithinReach } from './within_reach.js'

/** Milliseconds between polls, in case a wake-up is lost. An attempt may start that late. */
const POLL_INTERVAL = 1000

export interface WorkerDependencies {
  looks: Pick<FindDueWork, 'handle'>
  claims: Pick<ClaimJobs, 'handle'>
  carryOut: Pick<CarryOut, 'handle'>
  chores: Pick<PlanChores, 'handle'>
  reach: Pick<WithinReach, 'handle'>
  presence: Presence
  trouble: Trouble
  clock: Clock
  logger: Pick<Logger, 'error'>
  /** Aborted when the worker stops, which ends all waits. */
  stopping: AbortController
}

/**
 * Processes the job queue: claims due jobs and runs them, with a concurrency limit for each nature.
 * It sleeps until it is woken, a job is due or a second has passed. A poll without work costs one
 * statement of five index lookups.
 */
export class Worker {
  /** Makes the worker poll now, because a job may be due. */
  readonly wake = coalesced(() => this.#wakeUp())

  readonly #running = new Set<Promise<void>>()
  readonly #lanes = new Map<Nature, Map<string, number>>()
  readonly #cut = new AbortController()
  #loop: Promise<void> | null = null
  #isAwake = true
  #interruptSleep: (() => void) | null = null
  /** The time of the last poll. */
  #polledAt: Instant | null = null

  constructor(private readonly dependencies: WorkerDependencies) {}

  start(): void {
    this.#loop ??= this.#run()
  }

  /**
   * Stops claiming and lets running jobs finish. Calls that still run after the grace period
   * (milliseconds) are aborted, and their jobs are released to other workers.
   */
  async stop(grace: number): Promise<void> {
    this.dependencies.stopping.abort()
    this.#wakeUp()
    const cut = setTimeout(() => this.#cut.abort(), grace)
    await this.#loop
    await this.#settled()
    clearTimeout(cut)
  }

  /** Runs all due jobs and returns their number. For tests and tools. */
  async turn(): Promise<number> {
    let started = 0
    for (;;) {
      const { claimed } = await this.#poll()
      await this.#settled()
      if (claimed === 0) return started
      started += claimed
    }
  }

  get #isStopping(): boolean {
    return this.dependencies.stopping.signal.aborted
  }

  async #run(): Promise<void> {
    const { trouble } = this.dependencies
    while (!this.#isStopping) {
      this.#isAwake = false
      let wait = POLL_INTERVAL
      try {
        await this.#prepare()
        const { hasMore, nextIn } = await this.#poll()
        trouble.over('looking')
        if (hasMore) this.#isAwake = true
        wait = Math.min(wait, nextIn)
      } catch (error) {
        trouble.met('looking', error)
        this.#isAwake = true
      }
      if (trouble.wait > 0) await this.#sleep(trouble.wait, () => false)
      // Lets the process serve requests between two transactions.
      if (this.#isAwake) await turn()
      else await this.#sleep(wait, () => this.#isAwake)
    }
  }

  /** Plans chores and corrects stored times, at the start and after the clock was set back. */
  async #prepare(): Promise<void> {
    const now = this.dependencies.clock.now()
    if (this.#polledAt === null || now < this.#polledAt) {
      await this.dependencies.chores.handle()
      await this.dependencies.reach.handle()
    }
    this.#polledAt = now
  }

  /** Polls once, and starts jobs within the limits. */
  async #poll(): Promise<{ claimed: number; hasMore: boolean; nextIn: number }> {
    const due = await this.dependencies.looks.handle()
    const now = this.dependencies.clock.now()
    const life = this.dependencies.presence.life()
    let started = 0
    let isMore = false
    for (const nature of dueAt(due, now)) {
      const lanes = this.#lanesOf(nature)
      const room = ROOM[nature] - sum(lanes)
      // A process that others may consider dead claims nothing.
      if (room <= 0 || this.#isStopping || !life) continue
      const { claimed, hasMore } = await this.dependencies.claims.handle(nature, room, lanes, life)
      for (const claim of claimed) this.#begin(claim, life)
      started += claimed.length
      isMore ||= hasMore && claimed.length < room
    }
    const next = Object.values(due)
      .filter((at) => at !== null && at > now)
      .map((at) => Date.parse(at!) - Date.parse(now))
    return { claimed: started, hasMore: isMore, nextIn: Math.min(...next, POLL_INTERVAL) }
  }

  #begin(claim: Claim, life: Life): void {
    const lanes = this.#lanesOf(claim.nature)
    const lane = claim.organizationId ?? ''
    count(lanes, lane, 1)
    const work = this.dependencies.carryOut
      .handle(claim, AbortSignal.any([this.#cut.signal, life.lost]), life)
      .catch((error) => {
        // The lease expires, and a worker retries.
        const context = { err: error, job: claim.id, kind: claim.kind }
        this.dependencies.logger.error(context, 'a job could not be carried out')
      })
      .finally(() => {
        count(lanes, lane, -1)
        this.#running.delete(work)
        this.#wakeUp()
      })
    this.#running.add(work)
  }

  #lanesOf(nature: Nature): Map<string, number> {
    let lanes = this.#lanes.get(nature)
    if (!lanes) this.#lanes.set(nature, (lanes = new Map()))
    return lanes
  }

  async #settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #wakeUp(): void {
    this.#isAwake = true
    this.#interruptSleep?.()
  }

  /** Waits for a time, or until it is woken and may wake up. `stop` always ends the wait. */
  #sleep(milliseconds: number, mayWake: () => boolean): Promise<void> {
    if (this.#isStopping) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#interruptSleep = null
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      this.#interruptSleep = () => {
        if (mayWake() || this.#isStopping) end()
      }
    })
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, each) => all + each, 0)
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by
  if (now === 0) counts.delete(key)
  else counts.set(key, now)
}

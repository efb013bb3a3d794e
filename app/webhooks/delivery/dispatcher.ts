import { setImmediate as turn } from 'node:timers/promises'
import type { Logger } from '@adonisjs/core/logger'
import type { Clock, Instant } from '#foundation/core/clock'
import { coalesced } from '#foundation/core/coalesced'
import type { Presence } from '#foundation/core/processes/presence'
import { Trouble } from '#foundation/core/trouble'
import type { ClaimDeliveries } from '#webhooks/delivery/claim_deliveries'
import { shareOf, type Claimed } from '#webhooks/delivery/endpoint_turn'
import { FOR_GOOD } from '#webhooks/delivery/entity_order'
import type { FutureInstants } from '#webhooks/delivery/future_instants'
import type { FindDueWork } from '#webhooks/delivery/find_due_work'
import type { AttemptOutcome, MakeAttempt } from '#webhooks/delivery/make_attempt'
import type { RecoverDeliveries } from '#webhooks/delivery/recover_deliveries'
import type { Relay } from '#webhooks/delivery/relay'
import type { SettleAttempts } from '#webhooks/delivery/settle_attempts'
import { SettleTogether } from '#webhooks/delivery/settle_together'
import type { Settled } from '#webhooks/delivery/endpoint_settling'
import { Workers, type Worker } from '#webhooks/delivery/workers'

/** Covers missed wake-ups; a retry starts at most this late. In milliseconds. */
const POLL_INTERVAL = 1000

export interface DispatcherDependencies {
  work: Pick<FindDueWork, 'handle'>
  relay: Relay
  claims: ClaimDeliveries
  attempts: MakeAttempt
  settling: Pick<SettleAttempts, 'handle' | 'handleAll'>
  recoveries: RecoverDeliveries
  future: FutureInstants
  presence: Presence
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/**
 * Delivers events: relays them into deliveries, claims those that are due, attempts them and settles
 * the outcomes. It sleeps until it is woken or a second has passed; a turn without work costs one
 * statement of three indexed look-ups.
 */
export class Dispatcher {
  /** Looks for work now rather than at the next poll. */
  readonly wake = coalesced(() => this.#wakeFor('news'))

  readonly #running = new Set<Promise<void>>()
  readonly #workers = new Workers(() => this.#wakeFor('worker'))
  readonly #settling: SettleTogether
  readonly #trouble: Trouble
  readonly #cut = new AbortController()
  #loop: Promise<void> | null = null
  #stopping = false
  /** Reasons to run another turn; after `worker` alone, there is no need to look for new events. */
  #reasons = new Set<'news' | 'worker'>()
  #sleepers = new Set<{ rouse: () => void; isDeep: boolean }>()
  /** The time of the last turn. Initially after every time, so that the first turn checks instants. */
  #seenAt: Instant = FOR_GOOD

  constructor(private readonly dependencies: DispatcherDependencies) {
    this.#settling = new SettleTogether(dependencies.settling)
    this.#trouble = new Trouble('webhook workers', dependencies.logger)
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** True if workers may continue beyond the turn they were started in. */
  get #mayContinue(): boolean {
    return this.#loop !== null && !this.#stopping && this.#trouble.wait === 0
  }

  /**
   * Starts no new work and lets running attempts finish. Attempts that still run after the grace
   * period (in milliseconds) are aborted, and their deliveries released for other processes.
   */
  async stop(grace: number): Promise<void> {
    this.#stopping = true
    for (const { rouse } of this.#sleepers) rouse()
    const cut = setTimeout(() => this.#cut.abort(), grace)
    await this.#loop
    await this.#finishRunning()
    clearTimeout(cut)
  }

  /** Runs one turn and waits for its attempts; returns their number. For tests and tools. */
  async turn(): Promise<number> {
    let started = 0
    let hasMore = true
    await this.#noticeStepBack()
    while (hasMore) {
      hasMore = (await this.dependencies.relay.run()) > 0
      started += await this.#claim()
    }
    await this.dependencies.recoveries.run()
    started += await this.#claim()
    await this.#finishRunning()
    return started
  }

  async #run(): Promise<void> {
    this.#reasons.add('news')
    while (!this.#stopping) {
      const reasons = this.#reasons
      this.#reasons = new Set()
      try {
        await this.#noticeStepBack()
        const isDue = reasons.has('news') && (await this.#relayNews())
        if (isDue || reasons.has('worker')) await this.#claim()
        this.#trouble.over('looking')
      } catch (error) {
        this.#trouble.met('looking', error)
        this.#reasons.add('news')
      }
      if (this.#trouble.wait > 0) await this.#sleep(this.#trouble.wait, true)
      if (this.#reasons.size > 0) await turn()
      else if (await this.#sleep(POLL_INTERVAL)) this.#reasons.add('news')
    }
  }

  /** Corrects stored instants at the start, and whenever the clock was set back. */
  async #noticeStepBack(): Promise<void> {
    const now = this.dependencies.clock.now()
    if (now < this.#seenAt) {
      await this.dependencies.future.run()
      if (this.#seenAt !== FOR_GOOD) {
        this.dependencies.logger.warn({ from: this.#seenAt, to: now }, 'The clock was set back')
      }
    }
    this.#seenAt = now
  }

  /**
   * Turns a batch of events into deliveries; another turn follows if there was one.
   * @returns whether an attempt may be due
   */
  async #relayNews(): Promise<boolean> {
    const { relay, recoveries } = this.dependencies
    const work = await this.dependencies.work.handle()
    const relayed = work.events ? await relay.run() : 0
    const examined = work.recoveries ? await recoveries.run() : 0
    if (relayed + examined === 0) return work.endpoints
    this.#reasons.add('news')
    return true
  }

  #claim(): Promise<number> {
    return this.#settling.between(async () => {
      const { room, holders } = this.#workers
      const life = this.dependencies.presence.life()
      // A process that others may consider dead claims nothing.
      if (room.first + room.retry === 0 || this.#stopping || !life) return 0
      const claimed = await this.dependencies.claims.handle(room, holders, life)
      for (const each of claimed) this.#start(each)
      return claimed.length
    })
  }

  #start(claimed: Claimed): void {
    const worker = this.#workers.take(shareOf(claimed.kind), claimed.endpoint.organization_id)
    const work = this.#attempt(claimed, worker)
      .catch((error) => {
        // The delivery is attempted again after its lease has ended.
        this.dependencies.logger.error(
          { err: error, delivery: claimed.delivery.id },
          'A webhook attempt could not be carried out'
        )
        return { next: [], hasMore: true }
      })
      .then(({ next, hasMore }) => {
        this.#running.delete(work)
        worker.release(next.length > 0 && !hasMore)
        for (const each of next) this.#start(each)
      })
    this.#running.add(work)
  }

  async #attempt(claimed: Claimed, worker: Worker): Promise<Pick<Settled, 'next' | 'hasMore'>> {
    const { life } = claimed
    const cut = AbortSignal.any([this.#cut.signal, life.lost])
    // After a long pause of this process, another process may have taken over the delivery.
    const outcome: AttemptOutcome = life.isSure()
      ? await this.dependencies.attempts.handle(claimed, cut)
      : { kind: 'abandoned' }
    const settled = await this.#settle(claimed, outcome, worker)
    this.#report(claimed, settled)
    return settled
  }

  /**
   * Records the outcome of an attempt, and retries that while the claim lasts: a delivery whose
   * outcome is not recorded is sent again.
   */
  async #settle(claimed: Claimed, outcome: AttemptOutcome, worker: Worker): Promise<Settled> {
    for (;;) {
      try {
        const settled = await this.#settling.handle(() => ({
          claimed,
          outcome,
          room: this.#mayContinue && claimed.life.isSure() ? worker.next() : undefined,
        }))
        this.#trouble.over('settling')
        return settled
      } catch (error) {
        this.#trouble.met('settling', error)
        const { lease_until: leaseEnd } = claimed.delivery
        const isLost = leaseEnd === null || leaseEnd <= this.dependencies.clock.now()
        if (this.#stopping || isLost) throw error
        await this.#sleep(this.#trouble.wait, true)
      }
    }
  }

  #report(claimed: Claimed, { notice, health }: Settled): void {
    if (!notice) return
    const about = {
      endpoint: claimed.endpoint.id,
      organization: claimed.endpoint.organization_id,
      failures: health?.failures,
      failingSince: health?.failingSince,
      reason: health?.disabledReason,
    }
    if (notice === 'recovered')
      this.dependencies.logger.info(about, 'A webhook endpoint works again')
    else this.dependencies.logger.warn(about, `A webhook endpoint fails: ${notice}`)
  }

  async #finishRunning(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #wakeFor(reason: 'news' | 'worker'): void {
    this.#reasons.add(reason)
    for (const { rouse, isDeep } of this.#sleepers) if (!isDeep) rouse()
  }

  /** Waits; only `stop` ends a deep sleep early. Returns whether the full time has passed. */
  #sleep(milliseconds: number, isDeep = false): Promise<boolean> {
    if (this.#stopping) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (isOver: boolean) => {
        clearTimeout(timer)
        this.#sleepers.delete(sleeper)
        resolve(isOver)
      }
      const timer = setTimeout(() => end(true), milliseconds)
      const sleeper = { rouse: () => end(false), isDeep }
      this.#sleepers.add(sleeper)
    })
  }
}

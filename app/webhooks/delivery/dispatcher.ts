import type { Logger } from '@adonisjs/core/logger'
import type { Clock } from '#foundation/core/clock'
import type { PruneSpent } from '#foundation/api/execution/prune_spent'
import { shareOf, type ClaimDeliveries, type Claimed } from '#webhooks/delivery/claim_deliveries'
import type { MakeAttempt } from '#webhooks/delivery/make_attempt'
import type { RecoverDeliveries } from '#webhooks/delivery/recover_deliveries'
import type { Relay } from '#webhooks/delivery/relay'
import type { Retention } from '#webhooks/delivery/retention'
import type { SettleAttempt, Settled } from '#webhooks/delivery/settle_attempt'

/** Attempts at the same time in one process: first ones, and retries with probes, 75 : 25. */
export const WORKERS = { first: 15, retry: 5 }

/** Backs up the wake-ups; also how late a retry may start. */
export const POLL_INTERVAL = 1000

const RETENTION_INTERVAL = 3_600_000

export interface DispatcherParts {
  relay: Relay
  claims: ClaimDeliveries
  attempts: MakeAttempt
  settling: SettleAttempt
  recoveries: RecoverDeliveries
  retention: Retention
  spent: PruneSpent
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
}

/**
 * Carries events out: relays them into deliveries, claims what is due, attempts it and
 * settles what came of it. It sleeps until it is woken or a second has passed; a turn
 * without work costs three indexed look-ups.
 */
export class Dispatcher {
  readonly #running = new Set<Promise<void>>()
  readonly #inUse = { first: 0, retry: 0 }
  readonly #cut = new AbortController()
  #loop: Promise<void> | null = null
  #stopping = false
  #woken = false
  #interrupt: (() => void) | null = null
  #retainedAt: number | null = null

  constructor(private readonly parts: DispatcherParts) {}

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Something may be due: look now rather than at the next poll. */
  wake(): void {
    this.#woken = true
    this.#interrupt?.()
  }

  /**
   * Takes no new work and lets running attempts finish; those that are not done after the
   * grace (milliseconds) are cut and their deliveries released for anybody to take.
   */
  async stop(grace: number): Promise<void> {
    this.#stopping = true
    this.wake()
    const cut = setTimeout(() => this.#cut.abort(), grace)
    await this.#loop
    await this.#settled()
    clearTimeout(cut)
  }

  /** One turn, waiting for the attempts it started; answers how many. For tests and tools. */
  async turn(): Promise<number> {
    const started = await this.#look()
    await this.#settled()
    return started
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#woken = false
      try {
        await this.#look()
        await this.#retain()
      } catch (error) {
        this.parts.logger.error({ err: error }, 'The webhook workers could not look for work')
        await this.#sleep(POLL_INTERVAL)
      }
      if (!this.#woken) await this.#sleep(POLL_INTERVAL)
    }
  }

  async #look(): Promise<number> {
    const { relay, recoveries, claims } = this.parts
    while ((await relay.run()) > 0 && !this.#stopping);
    await recoveries.run()
    let started = 0
    while (!this.#stopping) {
      const claimed = await claims.handle({
        first: WORKERS.first - this.#inUse.first,
        retry: WORKERS.retry - this.#inUse.retry,
      })
      if (claimed.length === 0) break
      started += claimed.length
      for (const each of claimed) this.#begin(each)
    }
    return started
  }

  #begin(claimed: Claimed): void {
    const share = shareOf(claimed.kind)
    this.#inUse[share] += 1
    const work = this.#attempt(claimed)
      .catch((error) => {
        // The lease ends by itself and somebody makes the attempt again.
        this.parts.logger.error(
          { err: error, delivery: claimed.delivery.id },
          'A webhook attempt could not be carried out'
        )
      })
      .finally(() => {
        this.#inUse[share] -= 1
        this.#running.delete(work)
        this.wake()
      })
    this.#running.add(work)
  }

  async #attempt(claimed: Claimed): Promise<void> {
    const outcome = await this.parts.attempts.handle(claimed, this.#cut.signal)
    this.#report(claimed, await this.parts.settling.handle(claimed, outcome))
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
    if (notice === 'recovered') this.parts.logger.info(about, 'A webhook endpoint works again')
    else this.parts.logger.warn(about, `A webhook endpoint fails: ${notice}`)
  }

  async #retain(): Promise<void> {
    const now = this.parts.clock.milliseconds()
    if (this.#retainedAt !== null && now - this.#retainedAt < RETENTION_INTERVAL) return
    this.#retainedAt = now
    await this.parts.spent.run()
    const { expired } = await this.parts.retention.run()
    if (expired > 0) {
      this.parts.logger.warn({ expired }, 'Webhook deliveries were held for 30 days and expired')
    }
  }

  async #settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #sleep(milliseconds: number): Promise<void> {
    if (this.#stopping) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#interrupt = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

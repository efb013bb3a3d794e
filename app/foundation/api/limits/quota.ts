import { errors as limiterErrors } from '@adonisjs/limiter'
import type { LimiterService } from '@adonisjs/limiter/types'
import type { Clock } from '../../core/clock.js'
import { refuse, type Problem } from '../../core/problems/problem.js'
import type { BurstWindow } from './burst_window.js'

export interface QuotaSettings {
  perSecond: number
  perDay: number
  failuresPerMinute: number
}

/** Whether a request counts, and the headers that tell the client where it stands. */
export interface QuotaDecision {
  refusal: Problem | null
  headers: Record<string, string>
}

const DAY_SECONDS = 86_400
const MINUTE_SECONDS = 60

const failuresKey = (address: string) => `failures:${address}`

/**
 * The limits of an organization, whatever the number of its keys: a sliding second and a UTC
 * day. A request refused by the second does not use up the day.
 */
export class Quota {
  constructor(
    readonly settings: QuotaSettings,
    private readonly limiter: LimiterService,
    private readonly burst: BurstWindow,
    private readonly clock: Clock
  ) {}

  /**
   * Counts a request. A store that does not answer refuses it: limits are never waived, but for
   * what is urgent, which has a second of its own beyond them.
   */
  async take(organizationId: string, isUrgent = false): Promise<QuotaDecision> {
    try {
      const decision = await this.#count(organizationId)
      const { refusal, headers } = decision
      if (!refusal || !isUrgent) return decision
      return (await this.#takeUrgent(organizationId)) ? { refusal: null, headers } : decision
    } catch (error) {
      if (isUrgent) return { refusal: null, headers: {} }
      throw storeFailed(error)
    }
  }

  async #takeUrgent(organizationId: string): Promise<boolean> {
    const { perSecond } = this.settings
    const key = `urgent:${organizationId}`
    return (await this.burst.take(key, perSecond, this.clock.milliseconds())).allowed
  }

  async #count(organizationId: string): Promise<QuotaDecision> {
    const { perSecond, perDay } = this.settings
    const nowMs = this.clock.milliseconds()
    const dayLeft = DAY_SECONDS - (Math.floor(nowMs / 1000) % DAY_SECONDS)

    const burst = await this.burst.take(organizationId, perSecond, nowMs)
    const daily = burst.allowed
      ? await this.#takeDaily(organizationId)
      : { allowed: true, remaining: await this.#dailyLeft(organizationId) }

    const headers: Record<string, string> = {
      'ratelimit-policy': `"burst";q=${perSecond};w=1, "daily";q=${perDay};w=${DAY_SECONDS}`,
      'ratelimit': `"burst";r=${burst.remaining};t=${Math.max(1, Math.ceil(burst.waitMs / 1000))}, "daily";r=${daily.remaining};t=${dayLeft}`,
      'x-ratelimit-limit': String(perDay),
      'x-ratelimit-remaining': String(daily.remaining),
      'x-ratelimit-reset': String(Math.floor(nowMs / 1000) + dayLeft),
    }
    if (!burst.allowed) {
      const seconds = Math.max(1, Math.ceil(burst.waitMs / 1000))
      return {
        headers,
        refusal: refuse('rate_limited', {
          detail: `The organization may send ${perSecond} requests per second.`,
          headers: { 'retry-after': String(seconds) },
        }),
      }
    }
    if (!daily.allowed) {
      return {
        headers,
        refusal: refuse('daily_limit_reached', {
          detail: `The organization may send ${perDay} requests per day (UTC).`,
          headers: { 'retry-after': String(dayLeft) },
        }),
      }
    }
    return { headers, refusal: null }
  }

  /** Whether the store of the limits answers. */
  async answers(): Promise<boolean> {
    try {
      await this.#dailyLeft('readiness')
      return true
    } catch {
      return false
    }
  }

  /**
   * Counts a request without a valid key against its address.
   * @returns a refusal once the address has failed too often within a minute.
   */
  async countFailure(address: string): Promise<Problem | null> {
    try {
      let wait = await this.#failuresWait(address)
      // A minute that ends later than in a minute began before somebody set the clock back.
      if (wait > MINUTE_SECONDS) {
        await this.#failures().delete(failuresKey(address))
        wait = await this.#failuresWait(address)
      }
      if (wait === 0) return null
      return refuse('too_many_failures', {
        detail: 'Too many requests without a valid key came from this address.',
        headers: { 'retry-after': String(wait) },
      })
    } catch (error) {
      return storeFailed(error)
    }
  }

  /** Counts a failure; answers how many seconds the address has to wait, 0 when it need not. */
  async #failuresWait(address: string): Promise<number> {
    try {
      await this.#failures().consume(failuresKey(address))
      return 0
    } catch (error) {
      if (!(error instanceof limiterErrors.E_TOO_MANY_REQUESTS)) throw error
      return Math.max(1, error.response.availableIn)
    }
  }

  #failures() {
    return this.limiter.use({
      requests: this.settings.failuresPerMinute,
      duration: '1 minute',
    })
  }

  #day() {
    return this.limiter.use({ requests: this.settings.perDay, duration: '1 day' })
  }

  /** A key per UTC day, so that a day begins anew whatever the store's own window says. */
  #dailyKey(organizationId: string): string {
    return `daily:${this.clock.now().slice(0, 10)}:${organizationId}`
  }

  async #takeDaily(organizationId: string) {
    try {
      const { remaining } = await this.#day().consume(this.#dailyKey(organizationId))
      return { allowed: true, remaining }
    } catch (error) {
      if (!(error instanceof limiterErrors.E_TOO_MANY_REQUESTS)) throw error
      return { allowed: false, remaining: 0 }
    }
  }

  async #dailyLeft(organizationId: string): Promise<number> {
    const state = await this.#day().get(this.#dailyKey(organizationId))
    return state ? state.remaining : this.settings.perDay
  }
}

function storeFailed(error: unknown): Problem {
  return refuse('not_ready', {
    detail: 'The limits cannot be counted right now.',
    headers: { 'retry-after': '5' },
    cause: error,
  })
}

import { errors as limiterErrors } from '@adonisjs/limiter'
import type { LimiterService } from '@adonisjs/limiter/types'
import { Problem, refuse } from '../../core/problems/problem.js'
import type { Counted, Limits, RequestCounts } from './request_counts.js'

export interface QuotaSettings {
  perSecond: number
  perDay: number
  failuresPerMinute: number
}

/** The decision about a request, and the rate-limit headers of its response. */
export interface QuotaDecision {
  refusal: Problem | null
  headers: Record<string, string>
  /** The change number of the organization at the count, if the store `reportsChanges`. */
  changes?: string
}

const DAY_SECONDS = 86_400
const MINUTE_SECONDS = 60

const failuresKey = (address: string) => `failures:${address}`

/**
 * The limits of an organization over all its keys: for a sliding second and for a UTC day. A
 * refused request counts for neither.
 */
export class Quota {
  constructor(
    readonly settings: QuotaSettings,
    private readonly limiter: LimiterService,
    private readonly counts: RequestCounts
  ) {}

  /**
   * Counts a request. It is refused if the store does not answer, because limits are never waived.
   * Only urgent requests are then admitted; they also have a limit per second of their own.
   */
  async take(organizationId: string, isUrgent = false): Promise<QuotaDecision> {
    try {
      const decision = this.#decide(await this.counts.take(organizationId, this.settings))
      if (!decision.refusal || !isUrgent) return decision
      return (await this.#takeUrgent(organizationId)) ? { ...decision, refusal: null } : decision
    } catch (error) {
      if (isUrgent) return { refusal: null, headers: {} }
      throw storeFailed(error)
    }
  }

  /** Counts a request that may turn out to be urgent; returns a refusal instead of throwing it. */
  async takeUnread(organizationId: string): Promise<QuotaDecision> {
    try {
      return await this.take(organizationId)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { refusal: error, headers: {} }
    }
  }

  /** Admits a refused request that turned out to be urgent. @returns whether it is admitted */
  async letsUrgentIn(organizationId: string): Promise<boolean> {
    try {
      return await this.#takeUrgent(organizationId)
    } catch {
      return true
    }
  }

  async #takeUrgent(organizationId: string): Promise<boolean> {
    const { refusedBy } = await this.counts.take(`urgent:${organizationId}`, this.#ofSecond)
    return refusedBy === null
  }

  get #ofSecond(): Limits {
    return { perSecond: this.settings.perSecond, perDay: null }
  }

  #decide({ refusedBy, remaining, waitMs, leftOfDay, nowMs, changes }: Counted): QuotaDecision {
    const { perSecond, perDay } = this.settings
    const dayLeft = DAY_SECONDS - (Math.floor(nowMs / 1000) % DAY_SECONDS)
    const wait = Math.max(1, Math.ceil(waitMs / 1000))
    const headers: Record<string, string> = {
      'ratelimit-policy': `"burst";q=${perSecond};w=1, "daily";q=${perDay};w=${DAY_SECONDS}`,
      'ratelimit': `"burst";r=${remaining};t=${wait}, "daily";r=${leftOfDay};t=${dayLeft}`,
      'x-ratelimit-limit': String(perDay),
      'x-ratelimit-remaining': String(leftOfDay),
      'x-ratelimit-reset': String(Math.floor(nowMs / 1000) + dayLeft),
    }
    if (refusedBy === null) return { headers, changes, refusal: null }
    const refusal =
      refusedBy === 'second'
        ? refuse('rate_limited', {
            detail: `The organization may send ${perSecond} requests per second.`,
            retryAfter: wait,
          })
        : refuse('daily_limit_reached', {
            detail: `The organization may send ${perDay} requests per day (UTC).`,
            retryAfter: dayLeft,
          })
    return { headers, changes, refusal }
  }

  /** True if a count comes with the organization's change number. */
  get reportsChanges(): boolean {
    return this.counts.reportsChanges
  }

  /** Returns whether the store of the limits answers. */
  async answers(): Promise<boolean> {
    try {
      await this.counts.take('readiness', this.#ofSecond)
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
      // If the wait exceeds a minute, the clock was set back; then the count begins anew.
      if (wait > MINUTE_SECONDS) {
        await this.#failures().delete(failuresKey(address))
        wait = await this.#failuresWait(address)
      }
      if (wait === 0) return null
      return refuse('too_many_failures', {
        detail: 'Too many requests without a valid key or address came from here.',
        retryAfter: wait,
      })
    } catch (error) {
      return storeFailed(error)
    }
  }

  /** Counts a failure; returns the seconds for which the address is blocked, or 0. */
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
}

function storeFailed(error: unknown): Problem {
  return refuse('not_ready', {
    detail: 'The limits cannot be checked right now.',
    cause: error,
  })
}

import type { Scope } from '#foundation/core/scope'
import { dateIn } from '#planning/calendar/local_time'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { budgetFault } from '../policy/budget.js'
import { permitsGrowth } from '../guard/health.js'
import { PAUSE_BUDGET } from '../policy/next_phase.js'
import type { KnownTraffic } from '../policy/check_policy.js'
import { meaningOf, type RolloutPolicy } from '../policy/policy.js'
import type { Found, RolloutRow } from '../tables.js'

/**
 * A budget that was never checked, a first version that climbs unjudged, and the end of a release
 * are reported once, and not every day: nothing is held for them.
 */
const BUDGET = 'harmBudget'
const UNJUDGED = 'unjudged'
const LEFT = 'left'

/** Why a first version is not judged. */
export const NO_BASELINE = 'there is no version before to compare it with'

/** @param pausedDays whole days that Apple counts so far */
export const pausesLeft = (pausedDays: number): string =>
  ` Apple lets it be paused for ${Math.max(0, PAUSE_BUDGET - pausedDays)} more days of ${PAUSE_BUDGET}, and users may update by hand meanwhile.`

/** Calls people for what keeps a rollout from its users, once for each reason and day. */
export class CallPeople {
  readonly #scope: Scope
  readonly #release: Release
  readonly #policy: RolloutPolicy
  readonly #day: string
  /** Reasons for which people were called on this day. */
  readonly #reasons: Set<string>

  constructor(
    scope: Scope,
    { release, row, policy }: { release: Release; row: RolloutRow; policy: RolloutPolicy }
  ) {
    this.#scope = scope
    this.#release = release
    this.#policy = policy
    this.#day = dateIn(policy.timezone, scope.now)
    const [day, ...reasons] = (row.calledFor ?? '').split(' ')
    const kept = release.status === 'active' ? [BUDGET, UNJUDGED] : [BUDGET, UNJUDGED, LEFT]
    const isToday = day === this.#day
    this.#reasons = new Set(reasons.filter((reason) => isToday || kept.includes(reason)))
  }

  /** The stored reasons; null if nobody was called. */
  get calledFor(): string | null {
    return this.#reasons.size === 0 ? null : [this.#day, ...this.#reasons].join(' ')
  }

  /** @param said what follows the version's name */
  ofHold(reason: string, said: string): void {
    this.#once(reason, `The rollout of ${this.#release.version} ${said}`)
  }

  /**
   * A metric that could let it grow has nothing to be compared with: that gets no better with time.
   * @param pausedDays whole days that Apple counts so far; null in a store with no pauses
   */
  ofNoBaseline(found: readonly Found[], pausedDays: number | null): void {
    const { guard } = this.#policy
    const isBlind = found.some(({ metric, missing }) => {
      const own = guard?.metrics.find(({ name }) => name === metric)
      return missing === 'baseline' && own !== undefined && permitsGrowth(own)
    })
    if (!isBlind) return
    const climbs = guard?.whenUnsure === 'grow'
    const stands = climbs
      ? 'climbs without being judged by all of its metrics'
      : pausedDays === null
        ? 'is held'
        : 'is paused before its next day'
    const left = pausedDays === null || climbs ? '' : pausesLeft(pausedDays)
    this.ofHold(climbs ? UNJUDGED : 'noBaseline', `${stands}: ${NO_BASELINE}.${left}`)
  }

  /** @param said what becomes of it, as its release is over */
  ofEnd(said: string): void {
    this.ofHold(LEFT, said)
  }

  /** It cannot be with all by the day that its policy names. */
  ofDate(): void {
    const { version } = this.#release
    const days = this.#policy.finishWithinDays
    this.#once(
      'finishWithinDays',
      `The rollout of ${version} is not with all users within ${days} days: no rung is skipped for a date.`
    )
  }

  /** The policy was set before the app's traffic was known, and asks for more than there is. */
  ofBudget(traffic: KnownTraffic, isApple: boolean): void {
    const { guard } = this.#policy
    for (const metric of guard?.metrics ?? []) {
      const days = traffic.get(meaningOf(metric)) ?? []
      const fault = budgetFault(this.#policy, metric, days, isApple)
      if (fault === null) continue
      const of = `The harm budget of ${guard!.harmBudget} % is too small for this app.`
      this.#once(BUDGET, `${of} ${fault}`)
    }
  }

  #once(reason: string, title: string): void {
    if (this.#reasons.has(reason)) return
    this.#reasons.add(reason)
    recordReleaseEvent(this.#scope, this.#release, {
      type: 'rollout.held',
      title,
      data: { reason, until: null, call: this.#policy.call },
      payload: null,
    })
  }
}

import type { Scope } from '#foundation/core/scope'
import { dateIn } from '#planning/calendar/local_time'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { budgetFault } from '../policy/budget.js'
import { permitsGrowth } from '../guard/health.js'
import { PAUSE_BUDGET } from '../policy/next_phase.js'
import type { KnownTraffic } from '../policy/check_policy.js'
import { meaningOf, type RolloutPolicy } from '../policy/policy.js'
import type { Finding, RolloutRow } from '../tables.js'

/**
 * Reasons that are reported once, and not every day, because nothing is held for them: a harm
 * budget that was never checked, a first version that climbs unjudged, and the end of a release.
 */
const BUDGET = 'harmBudget'
const UNJUDGED = 'unjudged'
const LEFT = 'left'

/** The text about a first version, which cannot be judged. */
export const NO_BASELINE = 'there is no earlier version to compare it with'

/**
 * Returns the text about the pauses that Apple still allows.
 * @param pausedDays whole days of pause that Apple has counted
 */
export const pausesLeft = (pausedDays: number): string =>
  ` Apple allows ${Math.max(0, PAUSE_BUDGET - pausedDays)} more days of pause out of ${PAUSE_BUDGET}, and users may update by hand meanwhile.`

/** Calls people about what holds a rollout, once per reason and day. */
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

  /** @param text follows the version's name */
  ofHold(reason: string, text: string): void {
    this.#once(reason, `The rollout of ${this.#release.version} ${text}`)
  }

  /**
   * Calls people if a metric that could let the rollout grow has nothing to be compared with, which
   * time does not change.
   * @param pausedDays whole days of pause that Apple has counted; null in a store without pauses
   */
  ofNoBaseline(found: readonly Finding[], pausedDays: number | null): void {
    const { guard } = this.#policy
    const isBlind = found.some(({ metric, missing }) => {
      const own = guard?.metrics.find(({ name }) => name === metric)
      return missing === 'baseline' && own !== undefined && permitsGrowth(own)
    })
    if (!isBlind) return
    const climbs = guard?.whenUnsure === 'grow'
    let state = pausedDays === null ? 'is held' : 'is paused before its next day'
    if (climbs) state = 'climbs without being judged by all of its metrics'
    const left = pausedDays === null || climbs ? '' : pausesLeft(pausedDays)
    this.ofHold(climbs ? UNJUDGED : 'noBaseline', `${state}: ${NO_BASELINE}.${left}`)
  }

  /** @param text says how the rollout goes on after its release ended */
  ofEnd(text: string): void {
    this.ofHold(LEFT, text)
  }

  /** Calls people if the rollout cannot reach all users within the days of its policy. */
  ofDate(): void {
    const { version } = this.#release
    const days = this.#policy.finishWithinDays
    this.#once(
      'finishWithinDays',
      `The rollout of ${version} does not reach all users within ${days} days: no stage is skipped to meet a date.`
    )
  }

  /**
   * Calls people if the harm budget is too small for the app's traffic, which was unknown when the
   * policy was set.
   */
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

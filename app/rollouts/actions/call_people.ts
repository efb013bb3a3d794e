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
 * Reasons that are reported once and not every day, because they hold nothing: a harm budget that
 * was never checked, a first version that grows without judgement, and the end of a release.
 */
const BUDGET = 'harmBudget'
const UNJUDGED = 'unjudged'
const UNWATCHED = 'left'

/** The text about a first version, which cannot be judged. */
export const NO_BASELINE = 'there is no earlier version to compare it with'

/**
 * Returns the text about the pauses that Apple still allows.
 * @param pausedDays whole days of pause that Apple has counted
 */
export const pausesLeft = (pausedDays: number): string =>
  ` Apple allows ${Math.max(0, PAUSE_BUDGET - pausedDays)} more days of pause out of ${PAUSE_BUDGET}, and users can still update manually.`

/** Notifies people about what holds a rollout, once per reason and day. */
export class CallPeople {
  readonly #scope: Scope
  readonly #release: Release
  readonly #policy: RolloutPolicy
  readonly #day: string
  /** Reasons about which people were notified today. */
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
    const kept = release.status === 'active' ? [BUDGET, UNJUDGED] : [BUDGET, UNJUDGED, UNWATCHED]
    const isToday = day === this.#day
    this.#reasons = new Set(reasons.filter((reason) => isToday || kept.includes(reason)))
  }

  /** The reasons to store; null if there are none. */
  get calledFor(): string | null {
    return this.#reasons.size === 0 ? null : [this.#day, ...this.#reasons].join(' ')
  }

  /** @param text continues a sentence that begins with the version */
  aboutHold(reason: string, text: string): void {
    this.#once(reason, `The rollout of ${this.#release.version} ${text}`)
  }

  /**
   * Notifies people if a metric on which growth depends has no baseline. Waiting does not help
   * then.
   * @param pausedDays whole days of pause that Apple has counted; null in a store without pauses
   */
  aboutMissingBaseline(found: readonly Finding[], pausedDays: number | null): void {
    const { guard } = this.#policy
    const lacksBaseline = found.some(({ metric, missing }) => {
      const own = guard?.metrics.find(({ name }) => name === metric)
      return missing === 'baseline' && own !== undefined && permitsGrowth(own)
    })
    if (!lacksBaseline) return
    const growsUnjudged = guard?.whenUnsure === 'grow'
    let state = pausedDays === null ? 'is held' : 'is paused before its next day'
    if (growsUnjudged) state = 'grows without being judged by all of its metrics'
    const left = pausedDays === null || growsUnjudged ? '' : pausesLeft(pausedDays)
    this.aboutHold(growsUnjudged ? UNJUDGED : 'noBaseline', `${state}: ${NO_BASELINE}.${left}`)
  }

  /** @param text how the rollout continues after the end of its release */
  aboutEnd(text: string): void {
    this.aboutHold(UNWATCHED, text)
  }

  /** Notifies people if the rollout cannot reach all users within the days of its policy. */
  aboutDeadline(): void {
    const { version } = this.#release
    const days = this.#policy.finishWithinDays
    this.#once(
      'finishWithinDays',
      `The rollout of ${version} will not reach all users within ${days} days. No stage is skipped to meet that date.`
    )
  }

  /**
   * Notifies people if the harm budget is too small for the app's traffic, which was unknown when
   * the policy was set.
   */
  aboutBudget(traffic: KnownTraffic, isApple: boolean): void {
    const { guard } = this.#policy
    for (const metric of guard?.metrics ?? []) {
      const days = traffic.get(meaningOf(metric)) ?? []
      const fault = budgetFault(this.#policy, metric, days, isApple)
      if (fault === null) continue
      const lead = `The harm budget of ${guard!.harmBudget} % is too small for this app.`
      this.#once(BUDGET, `${lead} ${fault}`)
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

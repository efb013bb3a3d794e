import { storeKindOfApp } from '#apps/queries/app_summary'
import { recordAppEvent } from '#apps/record_app_event'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { findReferencedRelease } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { chooseBuildsAgain } from '../plans/touch_releases.js'
import { followUpOf, missingFor, onSince, followUpApplies } from '../automations/follow_ups.js'
import { appPlan, changeAppPlan, changeReleasePlan, releasePlan } from '../plans/plans.js'
import { followUpEntity } from '../queries/shown.js'
import { planStateOf } from '../plans/plan_state.js'
import type { SetAutomationInput } from '../validators/planning_input.js'
import { FOLLOW_UP_OF, type FollowUp } from '../vocabulary.js'

/**
 * Switches a follow-up automation on or off, for an app or for one of its releases. It does not act
 * on what happened before it was switched on.
 */
export class SetFollowUp {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the release it was set for; null for the app
   * @throws not_found, release_completed, release_skipped, automation_inactive,
   *   automation_dependency
   */
  async handle(
    appId: string,
    type: FollowUp,
    { enabled, releaseId }: SetAutomationInput
  ): Promise<Release | null> {
    const { scope } = this
    const release =
      releaseId === undefined ? null : await findReferencedRelease(scope, appId, releaseId)
    if (release) requireOpen(release)
    if (enabled === undefined) return release
    if (enabled) await this.#requirePossible(appId, type, release)
    if (release) await this.#ofRelease(release, type, enabled)
    else await this.#ofApp(appId, type, enabled)
    return release
  }

  async #requirePossible(appId: string, type: FollowUp, release: Release | null): Promise<void> {
    const { name, stores } = FOLLOW_UP_OF[type]
    const store = await storeKindOfApp(this.scope, appId)
    if (!stores.includes(store) || (release && !followUpApplies(release, type, store))) {
      throw refuse('automation_inactive', {
        detail: `${name} does not apply here.`,
        ...(await this.#state(appId, type, release)),
      })
    }
    const missing = await missingFor(this.scope, appId, type)
    if (missing.length === 0) return
    const detail = `${name} needs ${missing.join(' and ')}, which the app does not have.`
    const state = await this.#state(appId, type, release)
    throw refuse('automation_dependency', { detail, ...state })
  }

  async #state(appId: string, type: FollowUp, release: Release | null) {
    const { status } = await followUpEntity(this.scope, appId, type, release)
    return { currentStatus: status, allowedActions: [] }
  }

  async #ofApp(appId: string, type: FollowUp, enabled: boolean): Promise<void> {
    const { scope } = this
    const { followUps, ...plan } = await appPlan(scope, appId)
    const before = followUpOf({ ...plan, followUps }, type)
    if (before.enabled === enabled) return
    const enabledAt = enabled ? scope.now : null
    await changeAppPlan(scope, appId, {
      followUps: { ...followUps, [type]: { ...before, enabled, enabledAt } },
    })
    recordAppEvent(scope, appId, {
      type: 'app.automationChanged',
      title: `${FOLLOW_UP_OF[type].name}: switched ${enabled ? 'on' : 'off'}`,
      data: { automation: type, enabled },
    })
    await chooseBuildsAgain(scope, appId)
  }

  async #ofRelease(release: Release, type: FollowUp, enabled: boolean): Promise<void> {
    const { scope } = this
    const state = await planStateOf(scope, release)
    if ((onSince(release, type, state) !== null) === enabled) return
    const { followUps } = await releasePlan(scope, release)
    const set = { enabled, enabledAt: enabled ? scope.now : null }
    await changeReleasePlan(scope, release, {
      followUps: { ...followUps, [type]: { ...followUps[type], set } },
    })
    recordReleaseEvent(scope, release, {
      type: 'release.updated',
      title: `${FOLLOW_UP_OF[type].name}: switched ${enabled ? 'on' : 'off'} for ${release.version}`,
      data: { automation: type, enabled },
      payload: null,
    })
    await chooseBuildsAgain(scope, release.appId, release.id)
  }
}

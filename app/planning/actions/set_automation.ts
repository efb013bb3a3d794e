import { storeKindOfApp } from '#apps/queries/app_summary'
import { recordAppEvent } from '#apps/record_app_event'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { findReferencedRelease } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type { StoreKind } from '#apps/vocabulary'
import { PHASES, type Phase } from '../calendar/freezes.js'
import { touchOpenReleases } from '../plans/touch_releases.js'
import {
  appPlan,
  automationOf,
  changeAppPlan,
  changeReleasePlan,
  releasePlan,
} from '../plans/plans.js'
import { automationEntity } from '../queries/shown.js'
import { applies, isOn, planStateOf } from '../plans/plan_state.js'
import type { SetAutomationInput } from '../validators/planning_input.js'
import {
  AUTOMATED_STORES,
  AUTOMATION_NAMES,
  AUTOMATION_OF,
  dependencyOf,
  PHASE_OF,
  type AutomationStatus,
  type ScheduledAutomation,
} from '../vocabulary.js'

/** Switches an automation on or off: for an app, or for one of its releases alone. */
export class SetAutomation {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the release it was set for; null for the app
   * @throws not_found, release_completed, release_skipped, automation_inactive,
   *   automation_dependency
   */
  async handle(
    appId: string,
    input: SetAutomationInput & { type: ScheduledAutomation }
  ): Promise<Release | null> {
    const phase = PHASE_OF[input.type]
    if (input.releaseId === undefined) {
      await this.#ofApp(appId, phase, input)
      return null
    }
    const release = await findReferencedRelease(this.scope, appId, input.releaseId)
    if (input.enabled !== undefined) await this.#ofRelease(release, phase, input.enabled)
    return release
  }

  async #ofApp(appId: string, phase: Phase, { enabled: requested, config }: SetAutomationInput) {
    const { scope } = this
    const store = await storeKindOfApp(scope, appId)
    const { status } = await automationEntity(scope, appId, phase, null)
    if (requested && !AUTOMATED_STORES[phase].includes(store)) throw inactive(phase, status)
    const plan = await appPlan(scope, appId)
    const isOnNow = (each: Phase) => automationOf(plan, each).enabled
    if (requested !== undefined) requireDependencies({ phase, status }, requested, store, isOnNow)
    const before = automationOf(plan, phase)
    const enabled = requested ?? before.enabled
    const runAfterFreeze = config?.runAfterFreeze ?? before.runAfterFreeze
    if (enabled === before.enabled && runAfterFreeze === before.runAfterFreeze) return
    await changeAppPlan(scope, appId, {
      automations: { ...plan.automations, [phase]: { ...before, enabled, runAfterFreeze } },
    })
    recordAppEvent(scope, appId, {
      type: 'app.automationChanged',
      title: `${AUTOMATION_NAMES[phase]}: switched ${enabled ? 'on' : 'off'}`,
      data: { automation: AUTOMATION_OF[phase], enabled, runAfterFreeze },
    })
    await touchOpenReleases(scope, appId)
  }

  async #ofRelease(release: Release, phase: Phase, enabled: boolean) {
    const { scope } = this
    requireOpen(release)
    const state = await planStateOf(scope, release)
    const { store } = state
    const { status } = await automationEntity(scope, release.appId, phase, release)
    if (enabled && !applies(release, phase, store)) throw inactive(phase, status)
    const isOnNow = (each: Phase) => isOn(release, each, state)
    requireDependencies({ phase, status }, enabled, store, isOnNow)
    const { automations } = await releasePlan(scope, release)
    if (isOn(release, phase, state) === enabled) return
    await changeReleasePlan(scope, release, {
      automations: { ...automations, [phase]: { enabled } },
    })
    recordReleaseEvent(scope, release, {
      type: 'release.updated',
      title: `${AUTOMATION_NAMES[phase]}: switched ${enabled ? 'on' : 'off'} for ${release.version}`,
      data: { automation: AUTOMATION_OF[phase], enabled },
      payload: null,
    })
    await touchOpenReleases(scope, release.appId, release.id)
  }
}

const inactive = (phase: Phase, currentStatus: AutomationStatus) =>
  refuse('automation_inactive', {
    detail: `${AUTOMATION_NAMES[phase]} does not apply here.`,
    currentStatus,
    allowedActions: [],
  })

/**
 * Refuses to switch an automation on while one that it needs is off, or off while one that needs it
 * is on.
 */
function requireDependencies(
  { phase, status }: { phase: Phase; status: AutomationStatus },
  enabled: boolean,
  store: StoreKind,
  isOnNow: (phase: Phase) => boolean
): void {
  const needed = dependencyOf(phase, store)
  const missing = needed !== null && !isOnNow(needed) ? [needed] : []
  const dependents = PHASES.filter((each) => dependencyOf(each, store) === phase && isOnNow(each))
  const inTheWay = enabled ? missing : dependents
  if (inTheWay.length === 0) return
  const names = inTheWay.map((each) => AUTOMATION_OF[each]).join(', ')
  throw refuse('automation_dependency', {
    detail: `${names} has to be switched ${enabled ? 'on' : 'off'} first.`,
    currentStatus: status,
    allowedActions: [],
  })
}

import { storeKindOfApp } from '#apps/queries/app_summary'
import { findApp } from '#apps/queries/find_app'
import type { StoreKind } from '#apps/vocabulary'
import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { findIntegration } from '#integrations/queries/app_integrations'
import type { Kind } from '#plugin-kit/kinds'
import { isEnded } from '#releases/lifecycle/open_releases'
import { findRepository } from '#version_control/repository/app_repository'
import { storesOf } from '#stores/queries/store_targets'
import { HAS_WORK } from './who_carries_out.js'
import { followUpKinds } from '../work_kinds.js'
import { changeReleasePlan, type AppPlan, type ReleasePlan } from '../plans/plans.js'
import { isHeld, type PlannedRelease, type PlanState } from '../plans/plan_state.js'
import type { FollowUpState } from '../tables.js'
import {
  TIMED_FOLLOW_UPS,
  FOLLOW_UP_OF,
  isOnByDefault,
  type FollowUp,
  type TimedFollowUp,
  type Need,
  type Occasion,
} from '../vocabulary.js'

/** When an automation that is on by default was switched on: before every occasion. */
const ALWAYS_ON_SINCE: Instant = '1970-01-01T00:00:00.000Z'

/** Returns the settings of a follow-up in an app. */
export function followUpOf({ followUps }: AppPlan, type: FollowUp): FollowUpState {
  const enabled = isOnByDefault(type)
  const initial = {
    enabled,
    enabledAt: enabled ? ALWAYS_ON_SINCE : null,
    lastRunAt: null,
    lastResult: null,
  }
  return followUps[type] ?? initial
}

/** Returns whether a follow-up applies to releases of this kind and store. */
export function followUpApplies(
  release: PlannedRelease,
  type: FollowUp,
  store: StoreKind
): boolean {
  const { kinds, stores } = FOLLOW_UP_OF[type]
  return kinds.includes(release.createType) && stores.includes(store)
}

/** Returns when a follow-up was switched on for a release; null if it is off. */
export function onSince(
  release: PlannedRelease,
  type: FollowUp,
  { app, own, store }: PlanState
): Instant | null {
  if (!followUpApplies(release, type, store)) return null
  const { enabled, enabledAt } = own.followUps[type]?.set ?? followUpOf(app, type)
  return enabled ? enabledAt : null
}

const MISSING: Record<Need, string> = {
  versionControl: 'a version-control integration',
  workingBranch: 'a workingBranch in branchSettings',
  versionFiles: 'versionFiles in appSettings',
  chat: 'a chat integration',
  issueTracking: 'an issue-tracking integration',
  featureAffiliations: 'featureAffiliations',
  store: 'an integration with its store',
}

/** Returns the unmet needs of a follow-up in an app, as texts; empty if all are met. */
export async function missingFor(scope: Scope, appId: string, type: FollowUp): Promise<string[]> {
  const { needs } = FOLLOW_UP_OF[type]
  const missing: string[] = []
  for (const need of needs) if (!(await IS_MET[need](scope, appId))) missing.push(MISSING[need])
  return missing
}

const hasKind = (kind: Kind) => async (scope: Scope, appId: string) =>
  (await findIntegration(scope, appId, kind)) !== null

const IS_MET: Record<Need, (scope: Scope, appId: string) => Promise<boolean>> = {
  versionControl: async (scope, appId) => (await findRepository(scope, appId)) !== null,
  workingBranch: async (scope, appId) =>
    Boolean((await findRepository(scope, appId))?.branches?.workingBranch),
  versionFiles: async (scope, appId) =>
    (await findApp(scope, appId)).settings.versionFiles.length > 0,
  chat: hasKind('chat'),
  issueTracking: hasKind('issueTracking'),
  featureAffiliations: async (scope, appId) =>
    (await findApp(scope, appId)).featureAffiliations.length > 0,
  store: async (scope, appId) => (await storesOf(scope, appId)).length > 0,
}

/** Returns whether a follow-up exists for the store of an app and all its needs are met. */
export async function canFollow(scope: Scope, appId: string, type: FollowUp): Promise<boolean> {
  const store = await storeKindOfApp(scope, appId)
  if (!FOLLOW_UP_OF[type].stores.includes(store)) return false
  return (await missingFor(scope, appId, type)).length === 0
}

/**
 * Returns whether a follow-up has nothing more to do for a release. Follow-ups on code still run
 * for a completed release.
 */
export function isOverFor(release: PlannedRelease, type: FollowUp): boolean {
  const { on } = FOLLOW_UP_OF[type]
  return on === 'code' ? release.status === 'skipped' : isEnded(release)
}

const happenedAt = (release: PlannedRelease, occasion: Occasion): Instant | null =>
  ({
    kickoff: null,
    newBuild: null,
    kickedOff: release.kickedOffAt,
    submitted: release.submittedAt,
    released: release.releasedAt,
  })[occasion]

/**
 * Returns the follow-ups that are due. Those after the same occasion and on the same target run one
 * after the other. A follow-up runs once per release, and only if it was on before its occasion. A
 * repeating one runs whenever it has work and nothing holds it.
 */
async function dueFollowUps(
  scope: Scope,
  release: PlannedRelease,
  state: PlanState
): Promise<TimedFollowUp[]> {
  const { followUps } = state.own
  const busy = new Set<string>()
  const due: TimedFollowUp[] = []
  for (const type of TIMED_FOLLOW_UPS) {
    const { after, on, repeats } = FOLLOW_UP_OF[type]
    const queue = `${after} ${on}`
    const run = followUps[type]?.run
    if (run && run.result === null) busy.add(queue)
    const at = happenedAt(release, after)
    const since = onSince(release, type, state)
    if (busy.has(queue) || at === null || since === null) continue
    // Switching the follow-up on again ends the delay.
    const isDelayed = run?.againAt !== undefined && scope.now < run.againAt && since <= run.at
    const isDue = repeats
      ? !isDelayed &&
        !isEnded(release) &&
        !isHeld(state, scope.now) &&
        (await hasWork(scope, release, type))
      : !run && since <= at
    if (!isDue) continue
    busy.add(queue)
    due.push(type)
  }
  return due
}

async function hasWork(
  scope: Scope,
  release: PlannedRelease,
  type: TimedFollowUp
): Promise<boolean> {
  if ((await missingFor(scope, release.appId, type)).length > 0) return false
  return (await HAS_WORK[type]?.(scope, release)) ?? false
}

/** Plans the follow-ups of a release that are due. */
export async function followUp(
  scope: Scope,
  release: PlannedRelease,
  state: PlanState
): Promise<void> {
  const { id: subject, appId } = release
  for (const type of await dueFollowUps(scope, release, state)) {
    const run = { at: scope.now, result: null }
    await changeReleasePlan(scope, release, ownFollowUp(state.own, type, run))
    await scope.jobs.plan(followUpKinds[type], { subject, at: scope.now, payload: { appId } })
  }
}

type OwnFollowUp = NonNullable<ReleasePlan['followUps'][FollowUp]>

/** Returns the change of a release's plan that sets the run of a follow-up. */
export const ownFollowUp = (
  { followUps }: Pick<ReleasePlan, 'followUps'>,
  type: FollowUp,
  run: OwnFollowUp['run']
) => ({ followUps: { ...followUps, [type]: { ...followUps[type], run } } })

import { storeKindOfApp } from '#apps/queries/app_summary'
import { findApp } from '#apps/queries/find_app'
import type { StoreKind } from '#apps/vocabulary'
import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { findRepository } from '#releases/version_control/app_repository'
import { followUpKinds } from './kinds.js'
import { changeReleasePlan, type AppPlan, type ReleasePlan } from './plans.js'
import type { PlannedRelease, Standing } from './standing.js'
import type { FollowUpState } from './tables.js'
import {
  FOLLOWING,
  FOLLOW_UP_OF,
  type FollowUp,
  type Following,
  type Need,
  type Occasion,
} from './vocabulary.js'

const OFF: FollowUpState = { enabled: false, enabledAt: null, lastRunAt: null, lastResult: null }

/** How an app has set an automation that follows something. */
export const followUpOf = ({ followUps }: AppPlan, type: FollowUp): FollowUpState =>
  followUps[type] ?? OFF

/** Whether an automation speaks of a release at all. */
export function speaksOf(release: PlannedRelease, type: FollowUp, store: StoreKind): boolean {
  const { kinds, stores } = FOLLOW_UP_OF[type]
  return kinds.includes(release.createType) && stores.includes(store)
}

/** Since when an automation is switched on for a release; null where it is off. */
export function onSince(
  release: PlannedRelease,
  type: FollowUp,
  { app, own, store }: Standing
): Instant | null {
  if (!speaksOf(release, type, store)) return null
  const { enabled, enabledAt } = own.followUps[type]?.set ?? followUpOf(app, type)
  return enabled ? enabledAt : null
}

const MISSING: Record<Need, string> = {
  versionControl: 'a version-control integration',
  workingBranch: 'a workingBranch in branchSettings',
  versionFiles: 'versionFiles in appSettings',
}

/** What an automation needs and the app has not, for people; empty where it has all. */
export async function missingFor(scope: Scope, appId: string, type: FollowUp): Promise<string[]> {
  const { settings } = await findApp(scope, appId)
  const repository = await findRepository(scope, appId)
  const has: Record<Need, boolean> = {
    versionControl: repository !== null,
    workingBranch: Boolean(repository?.branches?.workingBranch),
    versionFiles: settings.versionFiles.length > 0,
  }
  return FOLLOW_UP_OF[type].needs.filter((need) => !has[need]).map((need) => MISSING[need])
}

/** Whether an app can have an automation at all. */
export async function canFollow(scope: Scope, appId: string, type: FollowUp): Promise<boolean> {
  const store = await storeKindOfApp(scope, appId)
  if (!FOLLOW_UP_OF[type].stores.includes(store)) return false
  return (await missingFor(scope, appId, type)).length === 0
}

const happenedAt = (release: PlannedRelease, occasion: Occasion): Instant | null =>
  ({
    kickoff: null,
    kickedOff: release.kickedOffAt,
    submitted: release.submittedAt,
    released: release.releasedAt,
  })[occasion]

/**
 * What is to be begun now: the first of each occasion that is on since before it happened and has
 * not been begun, once those before it are over. Once for a release.
 */
export function dueFollowUps(release: PlannedRelease, standing: Standing): Following[] {
  const { followUps } = standing.own
  const busy = new Set<Occasion>()
  return FOLLOWING.filter((type) => {
    const { after } = FOLLOW_UP_OF[type]
    const run = followUps[type]?.run
    if (run && run.result === null) busy.add(after)
    const at = happenedAt(release, after)
    const since = onSince(release, type, standing)
    if (run || busy.has(after) || at === null || since === null || since > at) return false
    busy.add(after)
    return true
  })
}

/** Begins what follows from what happened to a release. */
export async function followUp(
  scope: Scope,
  release: PlannedRelease,
  standing: Standing
): Promise<void> {
  const { id: subject, appId } = release
  for (const type of dueFollowUps(release, standing)) {
    await setFollowUpRun(scope, release, standing.own, type, { at: scope.now, result: null })
    await scope.agenda.plan(followUpKinds[type], { subject, at: scope.now, payload: { appId } })
  }
}

type OwnFollowUp = NonNullable<ReleasePlan['followUps'][FollowUp]>

/** Writes down how far an automation is with a release. */
export async function setFollowUpRun(
  scope: Scope,
  release: Pick<PlannedRelease, 'id' | 'appId'>,
  { followUps }: Pick<ReleasePlan, 'followUps'>,
  type: FollowUp,
  run: OwnFollowUp['run']
): Promise<void> {
  const own = { ...followUps[type], run }
  await changeReleasePlan(scope, release, { followUps: { ...followUps, [type]: own } })
}

import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseRow } from '#releases/queries/read_release'
import { PHASES, type Phase } from '../calendar/freezes.js'
import { canRunPhase } from '../automations/who_carries_out.js'
import { DEFAULT_CADENCE } from '../cadence/check_cadence.js'
import type {
  AutomationEntity,
  AutomationPauseStateEntity,
  LifecycleFreezeSetEntity,
  ScheduleCadenceEntity,
} from '../entities.js'
import { canFollow, followUpOf, onSince, followUpApplies } from '../automations/follow_ups.js'
import { appPlan, automationOf, releasePlan } from '../plans/plans.js'
import { applies, isOn, isPaused, planStateOf } from '../plans/plan_state.js'
import { shownCadence } from '../cadence/shown_cadence.js'
import type { NamedFreeze, Pause } from '../tables.js'
import {
  AUTOMATED_STORES,
  AUTOMATION_NAMES,
  AUTOMATION_OF,
  FOLLOW_UPS,
  FOLLOW_UP_OF,
  type AutomationStatus,
  type FollowUp,
} from '../vocabulary.js'

/** Returns the cadence of an app; switched off by default. */
export async function cadenceEntity(scope: Scope, appId: string): Promise<ScheduleCadenceEntity> {
  const { cadence, followsAppId, undecidedFrom } = await appPlan(scope, appId)
  const shown = cadence
    ? shownCadence(cadence)
    : { ...DEFAULT_CADENCE, enabled: false, startDate: null, targets: [] }
  return { followsAppId, undecidedFrom, ...shown }
}

/** Returns the freezes of an app that overlap a window, in the order they begin. */
export async function freezeEntities(
  scope: Scope,
  appId: string,
  { from, to }: { from?: Instant; to?: Instant } = {}
): Promise<LifecycleFreezeSetEntity[]> {
  const { freezes } = await appPlan(scope, appId)
  return freezes
    .filter(({ startAt, endAt }) => (!from || endAt > from) && (!to || startAt <= to))
    .map((freeze) => ({ ...freeze, active: isActive(freeze, scope.now) }))
}

const isActive = ({ startAt, endAt }: NamedFreeze, now: Instant) => startAt <= now && now < endAt

/** Returns the automation of a phase, of an app or of one release. */
export async function automationEntity(
  scope: Scope,
  appId: string,
  phase: Phase,
  release: ReleaseRow | null
): Promise<AutomationEntity> {
  const plan = await appPlan(scope, appId)
  const set = automationOf(plan, phase)
  const own = release && (await releaseAutomation(scope, phase, release))
  const { enabled, isPossible, lastRunAt, lastResult, pauses } = own ?? {
    ...set,
    isPossible: AUTOMATED_STORES[phase].includes(await storeKindOfApp(scope, appId)),
    pauses: [],
  }
  return {
    id: `${release ? release.publicId : appId}:${AUTOMATION_OF[phase]}`,
    type: AUTOMATION_OF[phase],
    name: AUTOMATION_NAMES[phase],
    enabled,
    status: statusOf(
      isPossible && (await canRunPhase(scope, appId, phase)),
      enabled,
      [plan.pause, ...pauses],
      scope.now
    ),
    scheduled: true,
    phase,
    config: { runAfterFreeze: set.runAfterFreeze },
    lastRunAt,
    lastResult,
  }
}

async function releaseAutomation(scope: Scope, phase: Phase, release: ReleaseRow) {
  const state = await planStateOf(scope, release)
  const { own, store } = state
  const run = own.runs[phase]
  return {
    enabled: isOn(release, phase, state),
    isPossible: applies(release, phase, store),
    lastRunAt: run?.at ?? null,
    lastResult: run?.result ?? null,
    pauses: [own.pause],
  }
}

/** Returns a follow-up automation, of an app or of one release. */
export async function followUpEntity(
  scope: Scope,
  appId: string,
  type: FollowUp,
  release: ReleaseRow | null
): Promise<AutomationEntity> {
  const plan = await appPlan(scope, appId)
  const { enabled: isOnInApp, lastRunAt, lastResult } = followUpOf(plan, type)
  const state = release && (await planStateOf(scope, release))
  const run = state?.own.followUps[type]?.run
  const isPossible =
    (await canFollow(scope, appId, type)) &&
    (!release || followUpApplies(release, type, state!.store))
  const enabled = release ? onSince(release, type, state!) !== null : isOnInApp
  const pauses = [plan.pause, state?.own.pause ?? null]
  return {
    id: `${release ? release.publicId : appId}:${type}`,
    type,
    name: FOLLOW_UP_OF[type].name,
    enabled,
    status: statusOf(isPossible, enabled, pauses, scope.now),
    scheduled: false,
    phase: null,
    config: {},
    lastRunAt: release ? (run?.result ? run.at : null) : lastRunAt,
    lastResult: release ? (run?.result ?? null) : lastResult,
  }
}

function statusOf(
  isPossible: boolean,
  enabled: boolean,
  pauses: readonly (Pause | null)[],
  now: Instant
): AutomationStatus {
  if (!isPossible) return 'inactive'
  if (!enabled) return 'disabled'
  return pauses.some((each) => isPaused(each, now)) ? 'paused' : 'enabled'
}

/** Returns all automations: those of target dates, then follow-ups. */
export async function automationEntities(
  scope: Scope,
  appId: string,
  release: ReleaseRow | null
): Promise<AutomationEntity[]> {
  return [
    ...(await Promise.all(PHASES.map((phase) => automationEntity(scope, appId, phase, release)))),
    ...(await Promise.all(FOLLOW_UPS.map((type) => followUpEntity(scope, appId, type, release)))),
  ]
}

/** Returns whether automations of an app or of one release are paused. */
export async function pauseEntity(
  scope: Scope,
  appId: string,
  release: { id: string; appId: string } | null
): Promise<AutomationPauseStateEntity> {
  const { pause } = release ? await releasePlan(scope, release) : await appPlan(scope, appId)
  return isPaused(pause, scope.now) ? { paused: true, ...(pause as Pause) } : RUNNING
}

const RUNNING = { paused: false, pausedAt: null, pausedBy: null, reason: null, resumeAt: null }

import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseRow } from '#releases/queries/read_release'
import { PHASES, type Phase } from '../calendar/freezes.js'
import { CARRIERS } from '../carriers.js'
import { DEFAULT_CADENCE } from '../check_cadence.js'
import type {
  AutomationEntity,
  AutomationPauseStateEntity,
  LifecycleFreezeSetEntity,
  ScheduleCadenceEntity,
} from '../entities.js'
import { appPlan, automationOf, releasePlan } from '../plans.js'
import { applies, isOn, isPaused, standingOf } from '../standing.js'
import type { NamedFreeze, Pause } from '../tables.js'
import { AUTOMATED_STORES, AUTOMATION_NAMES, AUTOMATION_OF } from '../vocabulary.js'

/** How often releases of an app leave; switched off where nobody set a cadence. */
export async function cadenceEntity(scope: Scope, appId: string): Promise<ScheduleCadenceEntity> {
  const { cadence } = await appPlan(scope, appId)
  if (!cadence) return { ...DEFAULT_CADENCE, enabled: false, startDate: null, targets: [] }
  const { targets, exceptions, ...own } = cadence
  return {
    ...own,
    targets: [{ releaseType: 'standard', ...targets }],
    exceptions: exceptions.map(({ pilotId, ...each }) => ({ ...each, releasePilotId: pilotId })),
  }
}

/** The freezes of an app that touch a part of time, in the order they begin. */
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

/** The automation of a phase, of an app or of one release. */
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
  const paused = [plan.pause, ...pauses].some((each) => isPaused(each, scope.now))
  return {
    id: `${release ? release.publicId : appId}:${AUTOMATION_OF[phase]}`,
    type: AUTOMATION_OF[phase],
    name: AUTOMATION_NAMES[phase],
    enabled,
    status:
      !isPossible || !CARRIERS[phase]
        ? 'inactive'
        : !enabled
          ? 'disabled'
          : paused
            ? 'paused'
            : 'enabled',
    scheduled: true,
    phase,
    config: { runAfterFreeze: set.runAfterFreeze },
    lastRunAt,
    lastResult,
  }
}

async function releaseAutomation(scope: Scope, phase: Phase, release: ReleaseRow) {
  const standing = await standingOf(scope, release)
  const { own, store } = standing
  const run = own.runs[phase]
  return {
    enabled: isOn(release, phase, standing),
    isPossible: applies(release, phase, store),
    lastRunAt: run?.at ?? null,
    lastResult: run?.result ?? null,
    pauses: [own.pause],
  }
}

export function automationEntities(scope: Scope, appId: string, release: ReleaseRow | null) {
  return Promise.all(PHASES.map((phase) => automationEntity(scope, appId, phase, release)))
}

/** Whether automations are paused, of an app or of one release. */
export async function pauseEntity(
  scope: Scope,
  appId: string,
  release: { id: string; appId: string } | null
): Promise<AutomationPauseStateEntity> {
  const { pause } = release ? await releasePlan(scope, release) : await appPlan(scope, appId)
  return isPaused(pause, scope.now) ? { paused: true, ...(pause as Pause) } : RUNNING
}

const RUNNING = { paused: false, pausedAt: null, pausedBy: null, reason: null, resumeAt: null }

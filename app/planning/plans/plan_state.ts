import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseFacts } from '#releases/engine/facts'
import { isOnTrain } from '#releases/engine/transitions'
import { isEnded } from '#releases/lifecycle/open_releases'
import type { ReleaseStatus } from '#releases/vocabulary'
import type { StoreKind } from '#apps/vocabulary'
import { freezesAt, type Phase } from '../calendar/freezes.js'
import { reminderAt, actsAt, type AutomationDateFacts } from '../calendar/automation_dates.js'
import {
  appPlan,
  automationOf,
  releasePlan,
  reminderOf,
  type AppPlan,
  type ReleasePlan,
} from './plans.js'
import type { Pause } from '../tables.js'
import { AUTOMATED_STORES, REMINDED_STORES } from '../vocabulary.js'

/** The members of a release that planning reads. */
export interface PlannedRelease {
  id: string
  appId: string
  createType: 'release' | 'hotfix' | 'rollback'
  status: ReleaseStatus
  targetKickoffAt: Instant | null
  targetSubmitAt: Instant | null
  targetReleaseAt: Instant | null
  kickedOffAt: Instant | null
  submittedAt: Instant | null
  releasedAt: Instant | null
}

/** The planning state of one release. */
export interface PlanState {
  app: AppPlan
  own: ReleasePlan
  store: StoreKind
}

export async function planStateOf(scope: Scope, release: PlannedRelease): Promise<PlanState> {
  const [app, own, store] = await Promise.all([
    appPlan(scope, release.appId),
    releasePlan(scope, release),
    storeKindOfApp(scope, release.appId),
  ])
  return { app, own, store }
}

export const targetOf = (release: PlannedRelease, phase: Phase) =>
  ({
    kickoff: release.targetKickoffAt,
    submit: release.targetSubmitAt,
    release: release.targetReleaseAt,
  })[phase]

/** Returns whether a phase of a release is still to come. */
function isAhead(release: PlannedRelease, phase: Phase): boolean {
  if (isEnded(release)) return false
  const done = {
    kickoff: release.kickedOffAt,
    submit: release.submittedAt,
    release: release.releasedAt,
  }
  return done[phase] === null
}

/** Returns whether an upcoming release waits for another one of the train. */
const isBehind = ({ status }: PlannedRelease): boolean => status === 'upcoming'

/** Returns whether the due kickoff automation waits for the train. */
export function waitsForTrain(release: PlannedRelease, { own }: PlanState): boolean {
  const run = own.runs.kickoff
  const isWaiting = run?.heldBy === 'train' && run.at === null && isBehind(release)
  return isWaiting && run.target === release.targetKickoffAt
}

/** Returns whether an automation applies to a release: not to hotfixes and rollbacks. */
export function applies(release: PlannedRelease, phase: Phase, store: StoreKind): boolean {
  return isOnTrain(release) && AUTOMATED_STORES[phase].includes(store)
}

/** Returns whether an automation is on for a release: by its own setting, or else by the app's. */
export function isOn(release: PlannedRelease, phase: Phase, { app, own, store }: PlanState) {
  if (!applies(release, phase, store)) return false
  return own.automations[phase]?.enabled ?? automationOf(app, phase).enabled
}

export function isPaused(pause: Pause | null, now: Instant): boolean {
  return pause !== null && (pause.resumeAt === null || now < pause.resumeAt)
}

/** Returns whether automations are paused for a release or its whole app. */
export const isHeld = ({ app, own }: Pick<PlanState, 'app' | 'own'>, now: Instant): boolean =>
  isPaused(app.pause, now) || isPaused(own.pause, now)

export function phaseFacts(
  release: PlannedRelease,
  phase: Phase,
  state: PlanState
): AutomationDateFacts {
  const { app, own } = state
  return {
    phase,
    target: targetOf(release, phase),
    isOn: isOn(release, phase, state) && isAhead(release, phase),
    isBehind: phase === 'kickoff' && isBehind(release),
    freezes: app.freezes,
    runAfterFreeze: automationOf(app, phase).runAfterFreeze,
    run: own.runs[phase] ?? null,
    planned: own.planned[phase] ?? null,
  }
}

/** Returns when a release is next due for an automation. */
export const automationAt = (
  release: PlannedRelease,
  phase: Phase,
  state: PlanState,
  now: Instant
) => actsAt(phaseFacts(release, phase, state), now)

/** Returns when people are reminded of a release's target date. */
export function remindAt(
  release: PlannedRelease,
  phase: Phase,
  { app, own, store }: PlanState,
  now: Instant
): Instant | null {
  const { enabled, leadTimeMinutes } = reminderOf(app, phase)
  const facts = {
    target: targetOf(release, phase),
    isOn: enabled && REMINDED_STORES[phase].includes(store) && isAhead(release, phase),
    leadTimeMinutes,
    reminded: own.reminded[phase] ?? null,
    planned: own.planned[`${phase}Reminder`] ?? null,
  }
  return reminderAt(facts, now)
}

/** Returns what is known to hold an automation back at its time. */
export function heldBy(
  target: Instant | null,
  phase: Phase,
  { app, own }: PlanState,
  now: Instant
): ReleaseFacts['automations'][number]['heldBy'] {
  const at = target === null || target < now ? now : target
  if (isHeld({ app, own }, at)) return 'pause'
  return freezesAt(app.freezes, phase, at).length > 0 ? 'freeze' : null
}

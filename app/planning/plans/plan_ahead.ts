import type { Instant } from '#foundation/core/clock'
import { markKind } from '#features/marks/mark_tickets'
import type { Scope } from '#foundation/core/scope'
import { PHASES, type Phase } from '../calendar/freezes.js'
import { isKept } from '../calendar/automation_dates.js'
import { followUp } from '../automations/follow_ups.js'
import { channelKind, followUpKinds, reminderKinds, phaseKinds } from '../work_kinds.js'
import { changeReleasePlan, type ReleasePlan } from './plans.js'
import {
  automationAt,
  isOn,
  remindAt,
  planStateOf,
  targetOf,
  type PlannedRelease,
} from './plan_state.js'
import type { Run, TimerName } from '../tables.js'
import { TIMED_FOLLOW_UPS } from '../vocabulary.js'

const TIMERS = PHASES.flatMap((phase) => [
  { phase, name: phase as TimerName, kind: phaseKinds[phase] },
  { phase, name: `${phase}Reminder` as TimerName, kind: reminderKinds[phase] },
])

/**
 * Plans the timers of a release by its target dates and the app's plan. Timers that are right
 * already are left alone: an unchanged release costs no write.
 */
export async function planAhead(scope: Scope, release: PlannedRelease): Promise<void> {
  const state = await planStateOf(scope, release)
  const { own } = state
  const planned: ReleasePlan['planned'] = {}
  const runs = keptRuns(own.runs, (phase, run) =>
    isKept(
      run,
      targetOf(release, phase),
      release.status !== 'skipped' && isOn(release, phase, state)
    )
  )
  if (runs !== own.runs) await changeReleasePlan(scope, release, { runs })
  for (const phase of PHASES) {
    const turn = automationAt(release, phase, state, scope.now)
    const reminder = remindAt(release, phase, state, scope.now)
    if (turn !== null) planned[phase] = turn
    if (reminder !== null) planned[`${phase}Reminder`] = reminder
  }
  const moved = TIMERS.filter(({ name }) => planned[name] !== own.planned[name])
  for (const { name, kind } of moved) await setTimer(scope, kind, release, planned[name])
  if (moved.length > 0) await changeReleasePlan(scope, release, { planned })
  await followUp(scope, release, state)
}

/** Cancels all timers of a release. */
export async function cancelTimers(
  scope: Scope,
  { releaseId, planned, followUps }: Pick<ReleasePlan, 'releaseId' | 'planned' | 'followUps'>
): Promise<void> {
  for (const { name, kind } of TIMERS) {
    if (planned[name] !== undefined) await scope.jobs.cancel(kind, releaseId)
  }
  for (const type of TIMED_FOLLOW_UPS) {
    const run = followUps[type]?.run
    if (!run || (run.result !== null && run.againAt === undefined)) continue
    await scope.jobs.cancel(followUpKinds[type], releaseId)
    if (type === 'createChatChannel') await scope.jobs.cancel(channelKind, releaseId)
    if (type === 'addLabelsAndFixVersions') await scope.jobs.cancel(markKind, releaseId)
  }
}

async function setTimer(
  scope: Scope,
  kind: (typeof TIMERS)[number]['kind'],
  { id, appId }: PlannedRelease,
  at: Instant | undefined
): Promise<void> {
  if (at === undefined) await scope.jobs.cancel(kind, id)
  else await scope.jobs.plan(kind, { subject: id, at, payload: { appId } })
}

function keptRuns(runs: ReleasePlan['runs'], isRelevant: (phase: Phase, run: Run) => boolean) {
  const dropped = PHASES.filter((phase) => runs[phase] && !isRelevant(phase, runs[phase]))
  if (dropped.length === 0) return runs
  const kept = PHASES.filter((phase) => runs[phase] && !dropped.includes(phase))
  return Object.fromEntries(kept.map((phase) => [phase, runs[phase]])) as ReleasePlan['runs']
}

import type { Work } from '#foundation/jobs/handlers'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { Instant } from '#foundation/core/clock'
import { assessSteps, statusesOf } from '#releases/engine/evaluate'
import {
  isReadyToRelease,
  isReadyToSubmit,
  missingBeforeSubmission,
  missingBeforeTakeoff,
} from '#releases/engine/readiness'
import { aheadOnTrain } from '#releases/lifecycle/move_train'
import type Release from '#releases/models/release'
import type { Ended } from '#releases/ports'
import { loadFacts } from '#releases/queries/load_facts'
import { PHASES, type Phase } from '../calendar/freezes.js'
import { judge, actsAt } from '../calendar/automation_dates.js'
import { canRunPhase, PHASE_RUNNERS } from '../automations/who_carries_out.js'
import { phaseKinds } from '../work_kinds.js'
import { planAhead } from '../plans/plan_ahead.js'
import type { Run } from '../tables.js'
import { appPlan, automationOf, changeReleasePlan, releasePlan } from '../plans/plans.js'
import { isHeld, planStateOf, targetOf, phaseFacts } from '../plans/plan_state.js'
import { AUTOMATION_OF } from '../vocabulary.js'
import { blocked, done, end, failed, skipped, report, type Outcome } from './outcomes.js'
import { aboutRelease } from './shared.js'

const SKIP_MESSAGES = {
  paused: 'automations are paused; it will not run later',
  frozen: 'a freeze was in effect; it will not run later',
  missed: 'the service was more than a day late',
}

/** The kind of integration that each automation calls. */
const INTEGRATION_OF = {
  kickoff: 'versionControl',
  submit: 'appStore',
  release: 'appStore',
} as const

/**
 * Automations that run on target dates. Each has its own job kind, so that the timeline can name
 * the one that acted.
 */
export const automations: Work[] = PHASES.map((phase) =>
  aboutRelease(phaseKinds[phase], {
    actor: AUTOMATION_OF[phase],
    isAutomation: true,
    isDateDriven: true,
    asks: INTEGRATION_OF[phase],
    act: (scope, release) => runPhase(scope, release, phase),
    afterLast: (scope, release, reason) => finish(scope, release, phase, failed('error', reason)),
  })
)

async function runPhase(scope: Scope, release: Release, phase: Phase): Promise<void> {
  const state = await planStateOf(scope, release)
  const facts = phaseFacts(release, phase, state)
  const verdict = judge(facts, isHeld(state, scope.now), scope.now)
  switch (verdict.what) {
    case 'nothing': {
      // The target date was moved, or the clock of this process is behind.
      const at = actsAt(facts, scope.now)
      if (at !== null) await schedule(scope, release, phase, at)
      return
    }
    case 'hold':
      return waitForFreeze(scope, release, phase, verdict.until)
    case 'wait':
      return waitForTrain(scope, release, phase)
    case 'drop': {
      const { reason } = verdict
      return finish(scope, release, phase, skipped(reason, SKIP_MESSAGES[reason]))
    }
    case 'act': {
      const outcome = await act(scope, release, phase)
      if (outcome) return finish(scope, release, phase, outcome)
      return awaitWorker(scope, release, phase)
    }
  }
}

async function schedule(scope: Scope, release: Release, phase: Phase, at: Instant): Promise<void> {
  const { appId, id } = release
  const { planned } = await releasePlan(scope, release)
  await changeReleasePlan(scope, release, { planned: { ...planned, [phase]: at } })
  await scope.jobs.plan(phaseKinds[phase], { subject: id, at, payload: { appId } })
}

/** Postpones the run to the end of the freeze, and reports this once. */
async function waitForFreeze(
  scope: Scope,
  release: Release,
  phase: Phase,
  until: Instant
): Promise<void> {
  const { runs } = await releasePlan(scope, release)
  const target = targetOf(release, phase)!
  const held = runs[phase]?.target === target ? runs[phase] : null
  if (!held || held.heldBy === 'train') {
    const run = { target, heldSince: scope.now, at: null, result: null }
    await changeReleasePlan(scope, release, { runs: { ...runs, [phase]: run } })
    const waiting = skipped('frozen', `a freeze lasts until ${until}; it will run then`)
    report(
      scope,
      release,
      AUTOMATION_OF[phase],
      { ...waiting, members: { until } },
      { targetAt: target }
    )
  }
  await schedule(scope, release, phase, until)
}

/** Holds the kickoff until the train reaches the release, and reports this once. */
async function waitForTrain(scope: Scope, release: Release, phase: Phase): Promise<void> {
  const { runs } = await releasePlan(scope, release)
  const target = targetOf(release, phase)!
  const run: Run = { target, heldSince: scope.now, heldBy: 'train', at: null, result: null }
  await changeReleasePlan(scope, release, { runs: { ...runs, [phase]: run } })
  const ahead = await aheadOnTrain(scope, release)
  const message = `${ahead.join(' and ')} is active; the kickoff follows once that release is over`
  const waiting = skipped('train_held', message)
  report(scope, release, AUTOMATION_OF[phase], waiting, { targetAt: target })
  await planAhead(scope, release)
}

/** Runs the phase, and returns the outcome; null if a worker has to finish it. */
async function act(scope: Scope, release: Release, phase: Phase): Promise<Outcome | null> {
  const notReady = await checkReadiness(scope, release, phase)
  if (notReady) return notReady
  if (!(await canRunPhase(scope, release.appId, phase))) {
    const message = 'the app has no integration with its store; do this in the store instead'
    return failed('not_available', message)
  }
  try {
    const result = await PHASE_RUNNERS[phase](scope, release)
    if (result.kind === 'underWay') return null
    return result.kind === 'blocked' ? blocked(result.reason) : done()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return failed(error.code, error.message)
  }
}

/** Marks the run as under way until a worker succeeds or fails. */
async function awaitWorker(scope: Scope, release: Release, phase: Phase): Promise<void> {
  const { runs } = await releasePlan(scope, release)
  const target = targetOf(release, phase)!
  const heldSince = runs[phase]?.target === target ? runs[phase].heldSince : null
  const run = { target, heldSince, at: null, result: null, isUnderWay: true }
  await changeReleasePlan(scope, release, { runs: { ...runs, [phase]: run } })
  await planAhead(scope, release)
}

/** Ends a run that waited for a worker. A run that was held in the meantime is evaluated again. */
export async function endRun(
  scope: Scope,
  release: Release,
  ended: { action: Phase } & Ended
): Promise<void> {
  const phase = ended.action
  const { runs } = await releasePlan(scope, release)
  const run = runs[phase]
  if (!run?.isUnderWay) return
  if (ended.result !== 'held') {
    const outcome = ended.result === 'done' ? done() : blocked(ended.reason)
    return finish(scope, release, phase, outcome, run.target)
  }
  await changeReleasePlan(scope, release, { runs: { ...runs, [phase]: undefined } })
  await planAhead(scope, release)
  const state = await planStateOf(scope, release)
  const isDue = phaseFacts(release, phase, state).isOn && run.target <= scope.now
  // The next evaluation reports what holds the run.
  if (isDue && run.target === targetOf(release, phase)) {
    await schedule(scope, release, phase, run.target)
  }
}

/** Returns why a release cannot be submitted or released yet; null if it can. */
async function checkReadiness(
  scope: Scope,
  release: Release,
  phase: Phase
): Promise<Outcome | null> {
  if (phase === 'kickoff') return null
  const { facts } = await loadFacts(scope, release)
  const statuses = statusesOf(assessSteps(facts))
  const [isReady, missing] =
    phase === 'submit'
      ? [isReadyToSubmit(facts, statuses), missingBeforeSubmission(facts, statuses)]
      : [isReadyToRelease(facts, statuses), missingBeforeTakeoff(facts, statuses)]
  if (isReady) return null
  const steps = missing.map(({ stepConfigId, name }) => ({ stepConfigId, name }))
  const picks = (facts.picks ?? []).map(({ commit }) => commit)
  let message = `it is not ${phase === 'submit' ? 'kicked off' : 'approved by the store'} yet`
  if (picks.length > 0 && facts.kickedOffAt !== null) {
    message = `these requested cherry-picks are not in the release: ${picks.join(', ')}`
  } else if (steps.length > 0) {
    message = `these required steps are not complete: ${steps.map(({ name }) => name).join(', ')}`
  }
  return { ...skipped('not_ready', message), members: { incompleteSteps: steps } }
}

/** Ends a run for a target date. */
async function finish(
  scope: Scope,
  release: Release,
  phase: Phase,
  outcome: Outcome,
  target = targetOf(release, phase)!
): Promise<void> {
  const { runs } = await releasePlan(scope, release)
  const heldSince = runs[phase]?.target === target ? runs[phase].heldSince : null
  const run = { target, heldSince, at: scope.now, result: outcome.result }
  const app = await appPlan(scope, release.appId)
  await end(scope, release, AUTOMATION_OF[phase], outcome, {
    own: { runs: { ...runs, [phase]: run } },
    ofApp: (last) => ({
      automations: { ...app.automations, [phase]: { ...automationOf(app, phase), ...last } },
    }),
    data: { targetAt: target },
  })
}

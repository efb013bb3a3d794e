import { onTime, type Work } from '#foundation/agenda/handlers'
import { Problem } from '#foundation/core/problems/problem'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type { Instant } from '#foundation/core/clock'
import { assessSteps, statusesOf } from '#releases/engine/evaluate'
import {
  isReadyToRelease,
  isReadyToSubmit,
  missingBeforeSubmission,
  missingBeforeTakeoff,
} from '#releases/engine/readiness'
import type Release from '#releases/models/release'
import type { Ended } from '#releases/parts'
import { releaseStillThere } from '#releases/queries/find_release'
import type { ReleaseRow } from '#releases/queries/read_release'
import { loadFacts } from '#releases/queries/load_facts'
import { recordReleaseEvent } from '#releases/record_release_event'
import { freezesAt, PHASES, type Phase } from '../calendar/freezes.js'
import { judge, turnAt } from '../calendar/turns.js'
import { CARRIERS } from '../carriers.js'
import { turnOf } from '../kinds.js'
import { planAhead } from '../plan_ahead.js'
import { appPlan, automationOf, changeAppPlan, changeReleasePlan, releasePlan } from '../plans.js'
import { isOn, isPaused, standingOf, targetOf, turnFacts } from '../standing.js'
import type { RunResult } from '../vocabulary.js'
import { AUTOMATION_NAMES, AUTOMATION_OF } from '../vocabulary.js'
import { RETRY, MINUTE } from './shared.js'

/** What a turn of an automation came to. */
interface Outcome {
  result: RunResult
  /** A word for programs; null where it did what it is for. */
  reason: string | null
  message: string
  members?: Record<string, unknown>
}

const DONE: Outcome = { result: 'succeeded', reason: null, message: 'done' }

const blocked = (message: string): Outcome => ({ result: 'failed', reason: 'blocked', message })

const LET_BE = {
  paused: 'automations are paused; the date is not made up for',
  frozen: 'a freeze was on; the date is not made up for',
  missed: 'the service was more than a day late',
}

/** Automations of target dates, one kind for each, so that the timeline names who acted. */
export const automations: Work[] = PHASES.map((phase) =>
  onTime(turnOf[phase], {
    actor: AUTOMATION_OF[phase],
    isAutomation: true,
    lease: MINUTE,
    retry: RETRY,
    lock: (scope, { payload }) => scope.lock('apps', payload.appId),
    async act(scope, { subject, payload: { appId } }) {
      const release = await releaseStillThere(scope, appId, subject)
      if (release) await takeTurn(scope, release, phase)
    },
    async afterLast(scope, { subject, payload: { appId } }, reason) {
      const release = await releaseStillThere(scope, appId, subject)
      if (!release) return
      await end(scope, release, phase, { result: 'failed', reason: 'error', message: reason })
    },
  })
)

async function takeTurn(scope: Scope, release: Release, phase: Phase): Promise<void> {
  const standing = await standingOf(scope, release)
  const facts = turnFacts(release, phase, standing)
  const paused = [standing.app.pause, standing.own.pause].some((each) => isPaused(each, scope.now))
  const verdict = judge(facts, paused, scope.now)
  switch (verdict.what) {
    case 'nothing': {
      // Its time was moved, or has not come on this clock.
      const at = turnAt(facts, scope.now)
      if (at !== null) await setTurn(scope, release, phase, at)
      return
    }
    case 'hold':
      return hold(scope, release, phase, verdict.until)
    case 'letBe': {
      const { reason } = verdict
      return end(scope, release, phase, { result: 'skipped', reason, message: LET_BE[reason] })
    }
    case 'act': {
      const outcome = await act(scope, release, phase)
      if (outcome) return end(scope, release, phase, outcome)
      return awaitEnd(scope, release, phase)
    }
  }
}

async function setTurn(scope: Scope, release: Release, phase: Phase, at: Instant): Promise<void> {
  const { appId, id } = release
  const { planned } = await releasePlan(scope, release)
  await changeReleasePlan(scope, release, { planned: { ...planned, [phase]: at } })
  await scope.agenda.plan(turnOf[phase], { subject: id, at, payload: { appId } })
}

/** It looks again when the freeze ends, and says once that it waits. */
async function hold(scope: Scope, release: Release, phase: Phase, until: Instant): Promise<void> {
  const { runs } = await releasePlan(scope, release)
  const target = targetOf(release, phase)!
  const held = runs[phase]?.target === target ? runs[phase] : null
  if (!held) {
    const run = { target, heldSince: scope.now, at: null, result: null }
    await changeReleasePlan(scope, release, { runs: { ...runs, [phase]: run } })
    record(scope, release, phase, {
      result: 'skipped',
      reason: 'frozen',
      message: `a freeze lasts until ${until}; it does it then`,
      members: { until },
    })
  }
  await setTurn(scope, release, phase, until)
}

/** What acting came to; null while a worker is to do it. */
async function act(scope: Scope, release: Release, phase: Phase): Promise<Outcome | null> {
  const unready = await demandReady(scope, release, phase)
  if (unready) return unready
  const carry = CARRIERS[phase]
  if (!carry) {
    const message = 'this service cannot do it in a store yet; somebody has to'
    return { result: 'failed', reason: 'not_available', message }
  }
  try {
    const came = await carry(scope, release)
    if (came.is === 'underWay') return null
    return came.is === 'blocked' ? blocked(came.reason) : DONE
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { result: 'failed', reason: error.code, message: error.message }
  }
}

/** The turn is over when a worker has done it, or cannot. */
async function awaitEnd(scope: Scope, release: Release, phase: Phase): Promise<void> {
  const { runs } = await releasePlan(scope, release)
  const target = targetOf(release, phase)!
  const heldSince = runs[phase]?.target === target ? runs[phase].heldSince : null
  const run = { target, heldSince, at: null, result: null, isUnderWay: true }
  await changeReleasePlan(scope, release, { runs: { ...runs, [phase]: run } })
  await planAhead(scope, release)
}

/** Ends the turn that waited for a worker; one that was held back is taken once more. */
export async function endTurn(
  scope: Scope,
  release: Release,
  ended: { action: Phase } & Ended
): Promise<void> {
  const phase = ended.action
  const { runs } = await releasePlan(scope, release)
  const run = runs[phase]
  if (!run?.isUnderWay) return
  if (ended.result !== 'held') {
    const outcome = ended.result === 'done' ? DONE : blocked(ended.reason)
    return end(scope, release, phase, outcome, run.target)
  }
  await changeReleasePlan(scope, release, { runs: { ...runs, [phase]: undefined } })
  await planAhead(scope, release)
  const standing = await standingOf(scope, release)
  const isDue = turnFacts(release, phase, standing).isOn && run.target <= scope.now
  // It looks what holds it back, and says so.
  if (isDue && run.target === targetOf(release, phase)) {
    await setTurn(scope, release, phase, run.target)
  }
}

/**
 * What keeps an automation from having done what it asked for a while ago; null where nothing
 * does. What a person asked for is theirs.
 */
export async function heldNow(
  scope: Scope,
  release: ReleaseRow,
  phase: Phase,
  askedBy: Actor
): Promise<string | null> {
  if (askedBy.type !== 'automation' || askedBy.name !== AUTOMATION_OF[phase]) return null
  const standing = await standingOf(scope, release)
  if (!isOn(release, phase, standing)) return 'the automation was switched off'
  const target = targetOf(release, phase)
  if (target === null || target > scope.now) return 'its date was moved'
  const { app, own } = standing
  if ([app.pause, own.pause].some((each) => isPaused(each, scope.now))) {
    return 'automations are paused'
  }
  return freezesAt(app.freezes, phase, scope.now).length > 0 ? 'a freeze is on' : null
}

/** What keeps a release from being submitted or released; null where nothing does. */
async function demandReady(scope: Scope, release: Release, phase: Phase): Promise<Outcome | null> {
  if (phase === 'kickoff') return null
  const { facts } = await loadFacts(scope, release)
  const statuses = statusesOf(assessSteps(facts))
  const [isReady, missing] =
    phase === 'submit'
      ? [isReadyToSubmit(facts, statuses), missingBeforeSubmission(facts, statuses)]
      : [isReadyToRelease(facts, statuses), missingBeforeTakeoff(facts, statuses)]
  if (isReady) return null
  const steps = missing.map(({ stepConfigId, name }) => ({ stepConfigId, name }))
  const message =
    steps.length > 0
      ? `these required steps are not complete: ${steps.map(({ name }) => name).join(', ')}`
      : `it is not ${phase === 'submit' ? 'kicked off' : 'approved by the store'} yet`
  return { result: 'skipped', reason: 'not_ready', message, members: { incompleteSteps: steps } }
}

/** Writes down what a turn came to: for the release, for its app, and in the timeline. */
async function end(
  scope: Scope,
  release: Release,
  phase: Phase,
  outcome: Outcome,
  target = targetOf(release, phase)!
): Promise<void> {
  const { runs } = await releasePlan(scope, release)
  const heldSince = runs[phase]?.target === target ? runs[phase].heldSince : null
  const run = { target, heldSince, at: scope.now, result: outcome.result }
  await changeReleasePlan(scope, release, { runs: { ...runs, [phase]: run } })
  const app = await appPlan(scope, release.appId)
  const last = { lastRunAt: scope.now, lastResult: outcome.result }
  await changeAppPlan(scope, release.appId, {
    automations: { ...app.automations, [phase]: { ...automationOf(app, phase), ...last } },
  })
  record(scope, release, phase, outcome, target)
  await planAhead(scope, release)
}

function record(
  scope: Scope,
  release: Release,
  phase: Phase,
  outcome: Outcome,
  targetAt = targetOf(release, phase)
): void {
  const { result, reason, message, members } = outcome
  const name = AUTOMATION_NAMES[phase]
  recordReleaseEvent(scope, release, {
    type: result === 'succeeded' ? 'automation.ran' : 'automation.failed',
    title:
      result === 'succeeded'
        ? `${name}: ${message}`
        : `${name} left ${release.version} alone: ${message}`,
    actor: { type: 'automation', id: null, name: AUTOMATION_OF[phase] },
    data: {
      automation: AUTOMATION_OF[phase],
      targetAt,
      result,
      reason,
      ...members,
    },
    payload: null,
  })
}

import { HOUR } from '#foundation/core/durations'
import type { Work } from '#foundation/jobs/handlers'
import type { Actor } from '#foundation/core/principal'
import { later, type Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { RequestedAction, Ended } from '#releases/ports'
import { FOLLOW_UP_CARRIERS } from '../automations/who_carries_out.js'
import {
  followUpOf,
  isOverFor,
  missingFor,
  onSince,
  ownFollowUp,
} from '../automations/follow_ups.js'
import { followUpKinds } from '../work_kinds.js'
import { planAhead } from '../plans/plan_ahead.js'
import { appPlan, releasePlan } from '../plans/plans.js'
import { isHeld, planStateOf } from '../plans/plan_state.js'
import {
  TIMED_FOLLOW_UPS,
  FOLLOW_UPS,
  isInPassing,
  type FollowUp,
  type TimedFollowUp,
} from '../vocabulary.js'
import { blocked, done, end, failed, skipped, type Outcome } from './outcomes.js'
import { aboutRelease } from './shared.js'

/** Delay before a transient failure is retried. */
const AGAIN = 6 * HOUR

/**
 * Follow-up automations, with one timer kind for each, so that the timeline names the one that
 * acted.
 */
export const followUps: Work[] = TIMED_FOLLOW_UPS.map((type) =>
  aboutRelease(followUpKinds[type], {
    actor: type,
    isAutomation: true,
    act: (scope, release) => begin(scope, release, type),
    afterLast: (scope, release, reason) =>
      finishFollowUp(scope, release, type, failed('error', reason)),
  })
)

async function begin(scope: Scope, release: Release, type: TimedFollowUp): Promise<void> {
  const state = await planStateOf(scope, release)
  const run = state.own.followUps[type]?.run
  if (!run) return
  // The last run failed in passing: it begins again if it still has work.
  if (run.result !== null) return planAhead(scope, release)
  const finish = (outcome: Outcome) => finishFollowUp(scope, release, type, outcome)
  if (isOverFor(release, type)) {
    return finish(skipped('over', `${release.version} was ${release.status}`))
  }
  if (onSince(release, type, state) === null) {
    return finish(skipped('off', 'it was switched off'))
  }
  if (isHeld(state, scope.now)) return finish(skipped('paused', 'automations are paused'))
  const missing = await missingFor(scope, release.appId, type)
  if (missing.length > 0) {
    return finish(failed('missing', `the app does not have ${missing.join(' or ')}`))
  }
  const result = await FOLLOW_UP_CARRIERS[type](scope, release)
  if (result.kind === 'blocked') await finish(blocked(result.reason))
}

/** Ends the run of a follow-up whose request has ended; other requests are ignored. */
export async function endFollowUp(
  scope: Scope,
  release: Release,
  ended: RequestedAction & { askedBy: Actor } & Ended
): Promise<void> {
  const { askedBy } = ended
  const type = FOLLOW_UPS.find((each) => askedBy.type === 'automation' && each === askedBy.name)
  if (!type) return
  if (!isInPassing(type) && !(await isUnderWay(scope, release, type))) return
  if (ended.result === 'held') {
    return finishFollowUp(scope, release, type, skipped('held', ended.reason))
  }
  if (ended.result === 'done') return finishFollowUp(scope, release, type, done(ended.what))
  const againAt = ended.isRetried ? later(scope.now, AGAIN) : undefined
  await finishFollowUp(scope, release, type, blocked(ended.reason), againAt)
}

/** Returns whether a follow-up is under way; the runs of a skipped release have ended already. */
export async function isUnderWay(scope: Scope, release: Release, type: TimedFollowUp) {
  const { followUps: own } = await releasePlan(scope, release)
  return own[type]?.run?.result === null
}

/** Ends all runs of a release that was skipped; their commands are cancelled. */
export async function endFollowUps(scope: Scope, release: Release): Promise<void> {
  for (const type of TIMED_FOLLOW_UPS) {
    if (!(await isUnderWay(scope, release, type))) continue
    await finishFollowUp(scope, release, type, skipped('over', `${release.version} was skipped`))
  }
}

/**
 * Ends the run of a follow-up.
 * @param againAt when a failed run begins again
 */
export async function finishFollowUp(
  scope: Scope,
  release: Release,
  type: FollowUp,
  outcome: Outcome,
  againAt?: Instant
): Promise<void> {
  const run = { at: scope.now, result: outcome.result, ...(againAt && { againAt }) }
  if (againAt && !isInPassing(type)) {
    const { id: subject, appId } = release
    await scope.jobs.plan(followUpKinds[type], { subject, at: againAt, payload: { appId } })
  }
  const app = await appPlan(scope, release.appId)
  await end(scope, release, type, outcome, {
    own: ownFollowUp(await releasePlan(scope, release), type, run),
    ofApp: (last) => ({
      followUps: { ...app.followUps, [type]: { ...followUpOf(app, type), ...last } },
    }),
  })
}

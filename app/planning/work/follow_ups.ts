import type { Work } from '#foundation/agenda/handlers'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { Asked, Ended } from '#releases/parts'
import { FOLLOW_UP_CARRIERS } from '../carriers.js'
import { followUpOf, missingFor, onSince, ownFollowUp } from '../follow_ups.js'
import { followUpKinds } from '../kinds.js'
import { appPlan, releasePlan } from '../plans.js'
import { isHeld, standingOf } from '../standing.js'
import { FOLLOWING, FOLLOW_UPS, isInPassing, type FollowUp, type Following } from '../vocabulary.js'
import { blocked, done, end, failed, letBe, type Outcome } from './outcomes.js'
import { aboutRelease } from './shared.js'

/** Automations that follow something, one kind for each, so that the timeline names who acted. */
export const followUps: Work[] = FOLLOWING.map((type) =>
  aboutRelease(followUpKinds[type], {
    actor: type,
    isAutomation: true,
    act: (scope, release) => begin(scope, release, type),
    afterLast: (scope, release, reason) =>
      finishFollowUp(scope, release, type, failed('error', reason)),
  })
)

async function begin(scope: Scope, release: Release, type: Following): Promise<void> {
  const standing = await standingOf(scope, release)
  const run = standing.own.followUps[type]?.run
  if (!run || run.result !== null) return
  const finish = (outcome: Outcome) => finishFollowUp(scope, release, type, outcome)
  if (onSince(release, type, standing) === null) {
    return finish(letBe('off', 'it was switched off'))
  }
  if (isHeld(standing, scope.now)) return finish(letBe('paused', 'automations are paused'))
  const missing = await missingFor(scope, release.appId, type)
  if (missing.length > 0) {
    return finish(failed('missing', `the app has not ${missing.join(', nor ')}`))
  }
  const came = await FOLLOW_UP_CARRIERS[type](scope, release)
  if (came.is === 'blocked') await finish(blocked(came.reason))
}

/** Ends what somebody was asked for, where an automation had asked. */
export async function endFollowUp(
  scope: Scope,
  release: Release,
  ended: Asked & { askedBy: Actor } & Ended
): Promise<void> {
  const { askedBy } = ended
  const type = FOLLOW_UPS.find((each) => askedBy.type === 'automation' && each === askedBy.name)
  if (!type) return
  const { followUps: own } = await releasePlan(scope, release)
  if (!isInPassing(type) && own[type]?.run?.result !== null) return
  const outcome = ended.result === 'done' ? done(ended.what) : blocked(ended.reason)
  await finishFollowUp(scope, release, type, outcome)
}

/** Ends the run of an automation that follows something. */
export async function finishFollowUp(
  scope: Scope,
  release: Release,
  type: FollowUp,
  outcome: Outcome
): Promise<void> {
  const run = { at: scope.now, result: outcome.result }
  const app = await appPlan(scope, release.appId)
  await end(scope, release, type, outcome, {
    own: ownFollowUp(await releasePlan(scope, release), type, run),
    ofApp: (last) => ({
      followUps: { ...app.followUps, [type]: { ...followUpOf(app, type), ...last } },
    }),
  })
}

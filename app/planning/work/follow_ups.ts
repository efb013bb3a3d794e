import { onTime, type Work } from '#foundation/agenda/handlers'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { Asked, Ended } from '#releases/parts'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { FOLLOW_UP_CARRIERS } from '../carriers.js'
import { followUpOf, missingFor, onSince, setFollowUpRun } from '../follow_ups.js'
import { followUpKinds } from '../kinds.js'
import { planAhead } from '../plan_ahead.js'
import { appPlan, changeAppPlan, releasePlan } from '../plans.js'
import { isPaused, standingOf } from '../standing.js'
import {
  FOLLOWING,
  FOLLOW_UPS,
  FOLLOW_UP_OF,
  type FollowUp,
  type Following,
  type RunResult,
} from '../vocabulary.js'
import { MINUTE, RETRY } from './shared.js'

/** What an automation came to; a reason is a word for programs. */
interface Outcome {
  result: RunResult
  reason: string | null
  message: string
}

/** Automations that follow something, one kind for each, so that the timeline names who acted. */
export const followUps: Work[] = FOLLOWING.map((type) =>
  onTime(followUpKinds[type], {
    actor: type,
    isAutomation: true,
    lease: MINUTE,
    retry: RETRY,
    lock: (scope, { payload }) => scope.lock('apps', payload.appId),
    async act(scope, { subject, payload: { appId } }) {
      const release = await releaseStillThere(scope, appId, subject)
      if (release) await begin(scope, release, type)
    },
    async afterLast(scope, { subject, payload: { appId } }, message) {
      const release = await releaseStillThere(scope, appId, subject)
      if (release) await end(scope, release, type, { result: 'failed', reason: 'error', message })
    },
  })
)

async function begin(scope: Scope, release: Release, type: Following): Promise<void> {
  const standing = await standingOf(scope, release)
  const run = standing.own.followUps[type]?.run
  if (!run || run.result !== null) return
  if (onSince(release, type, standing) === null) {
    return end(scope, release, type, LET_BE('off', 'it was switched off'))
  }
  const isHeld = [standing.app.pause, standing.own.pause].some((each) => isPaused(each, scope.now))
  if (isHeld) {
    return end(scope, release, type, LET_BE('paused', 'automations are paused'))
  }
  const missing = await missingFor(scope, release.appId, type)
  if (missing.length > 0) {
    const message = `the app has not ${missing.join(', nor ')}`
    return end(scope, release, type, { result: 'failed', reason: 'missing', message })
  }
  const came = await FOLLOW_UP_CARRIERS[type](scope, release)
  if (came.is === 'underWay') return
  await end(scope, release, type, { result: 'failed', reason: 'blocked', message: came.reason })
}

const LET_BE = (reason: string, message: string): Outcome => ({
  result: 'skipped',
  reason,
  message,
})

/** Ends what version control was asked for, where an automation had asked. */
export async function endFollowUp(
  scope: Scope,
  release: Release,
  ended: Asked & { askedBy: Actor } & Ended
): Promise<void> {
  const { askedBy } = ended
  const type = FOLLOW_UPS.find((each) => askedBy.type === 'automation' && each === askedBy.name)
  if (!type) return
  const { followUps: own } = await releasePlan(scope, release)
  const isAwaited = FOLLOW_UP_OF[type].after === 'kickoff' || own[type]?.run?.result === null
  if (!isAwaited) return
  const outcome: Outcome =
    ended.result === 'done'
      ? { result: 'succeeded', reason: null, message: 'done' }
      : { result: 'failed', reason: 'blocked', message: ended.reason }
  await end(scope, release, type, outcome)
}

async function end(scope: Scope, release: Release, type: FollowUp, outcome: Outcome) {
  const { result, reason, message } = outcome
  const run = { at: scope.now, result }
  await setFollowUpRun(scope, release, await releasePlan(scope, release), type, run)
  const app = await appPlan(scope, release.appId)
  const last = { lastRunAt: scope.now, lastResult: result }
  await changeAppPlan(scope, release.appId, {
    followUps: { ...app.followUps, [type]: { ...followUpOf(app, type), ...last } },
  })
  const { name } = FOLLOW_UP_OF[type]
  const isDone = result === 'succeeded'
  recordReleaseEvent(scope, release, {
    type: isDone ? 'automation.ran' : 'automation.failed',
    title: isDone ? `${name}: ${message}` : `${name} left ${release.version} alone: ${message}`,
    actor: { type: 'automation', id: null, name: type },
    data: { automation: type, result, reason },
    payload: null,
  })
  // What comes after it may begin.
  await planAhead(scope, release)
}

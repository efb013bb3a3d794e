import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { planAhead } from '../plans/plan_ahead.js'
import {
  changeAppPlan,
  changeReleasePlan,
  type AppPlan,
  type AppPlanChange,
  type ReleasePlanChange,
} from '../plans/plans.js'
import { nameOf, type Automation, type RunResult } from '../vocabulary.js'

/** The outcome of an automation's run. */
export interface Outcome {
  result: RunResult
  /** A word for programs; null if it did what it is for. */
  reason: string | null
  message: string
  /** Additional members of the timeline entry. */
  members?: Record<string, unknown>
}

export const done = (message = 'done', members?: Outcome['members']): Outcome => ({
  result: 'succeeded',
  reason: null,
  message,
  members,
})
export const blocked = (message: string, members?: Outcome['members']): Outcome => ({
  result: 'failed',
  reason: 'blocked',
  message,
  members,
})
export const failed = (reason: string, message: string): Outcome => ({
  result: 'failed',
  reason,
  message,
})
export const skipped = (reason: string, message: string): Outcome => ({
  result: 'skipped',
  reason,
  message,
})

/** Records the outcome of a run in the plans of the release and its app, and in the timeline. */
export async function end(
  scope: Scope,
  release: Release,
  type: Automation,
  outcome: Outcome,
  changes: {
    own: ReleasePlanChange
    ofApp(last: Pick<Last, 'lastRunAt' | 'lastResult'>): AppPlanChange
    data?: Record<string, unknown>
  }
): Promise<void> {
  await changeReleasePlan(scope, release, changes.own)
  const last = { lastRunAt: scope.now, lastResult: outcome.result }
  await changeAppPlan(scope, release.appId, changes.ofApp(last))
  report(scope, release, type, outcome, changes.data)
  // Follow-ups that waited for this run may begin now.
  await planAhead(scope, release)
}

type Last = NonNullable<AppPlan['automations']['kickoff']>

/** Records in the timeline what an automation did, or why it did not. */
export function report(
  scope: Scope,
  release: Release,
  type: Automation,
  { result, reason, message, members }: Outcome,
  data: Record<string, unknown> = {}
): void {
  const name = nameOf(type)
  const isDone = result === 'succeeded'
  recordReleaseEvent(scope, release, {
    type: isDone ? 'automation.ran' : 'automation.failed',
    title: isDone ? `${name}: ${message}` : `${name} did not act on ${release.version}: ${message}`,
    actor: { type: 'automation', id: null, name: type },
    data: { automation: type, ...data, result, reason, ...members },
    payload: null,
  })
}

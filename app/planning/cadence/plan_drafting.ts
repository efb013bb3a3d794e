import { findApp } from '#apps/queries/find_app'
import type { Scope } from '#foundation/core/scope'
import { nextDecision, type Decision } from '../calendar/next_decision.js'
import { draftKind } from '../work_kinds.js'
import { appPlan } from '../plans/plans.js'
import { isRunning, scheduleFacts } from '../queries/schedule_facts.js'

/** Returns the next decision about an app's trains; null if none are to come. */
export async function decisionOf(scope: Scope, appId: string): Promise<Decision | null> {
  const plan = await appPlan(scope, appId)
  if (!isRunning(plan)) return null
  const app = await findApp(scope, appId)
  return nextDecision(await scheduleFacts(scope, app, plan), scope.now)
}

/** Plans the timer of the next decision about an app's trains, or cancels it if none is to come. */
export async function planDrafting(scope: Scope, appId: string): Promise<void> {
  const decision = await decisionOf(scope, appId)
  if (!decision) await scope.jobs.cancel(draftKind, appId)
  else await scope.jobs.plan(draftKind, { subject: appId, at: decision.at, payload: { appId } })
}

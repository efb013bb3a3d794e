import type { Work } from '#foundation/jobs/handlers'
import type { Scope } from '#foundation/core/scope'
import { assessSteps, statusesOf } from '#releases/engine/evaluate'
import type { ReleaseFacts } from '#releases/engine/facts'
import { missingBeforeSubmission, missingBeforeTakeoff } from '#releases/engine/readiness'
import type Release from '#releases/models/release'
import { loadFacts } from '#releases/queries/load_facts'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { freezesAt, PHASES, type Phase } from '../calendar/freezes.js'
import { reminderKinds } from '../work_kinds.js'
import { planAhead } from '../plans/plan_ahead.js'
import { changeReleasePlan, reminderOf } from '../plans/plans.js'
import { remindAt, planStateOf, targetOf } from '../plans/plan_state.js'
import { REMINDER_OF } from '../vocabulary.js'
import { aboutRelease } from './shared.js'

const SOON: Record<Phase, string> = {
  kickoff: 'kicked off',
  submit: 'submitted for review',
  release: 'released',
}

/** Reminders of target dates: once per date and lead time, and only while the phase is to come. */
export const reminders: Work[] = PHASES.map((phase) =>
  aboutRelease(reminderKinds[phase], {
    actor: 'clock',
    act: (scope, release) => remind(scope, release, phase),
  })
)

async function remind(scope: Scope, release: Release, phase: Phase): Promise<void> {
  const state = await planStateOf(scope, release)
  const at = remindAt(release, phase, state, scope.now)
  if (at !== null && at > scope.now) {
    const { id: subject, appId } = release
    await scope.jobs.plan(reminderKinds[phase], { subject, at, payload: { appId } })
    return
  }
  if (at !== null) {
    const target = targetOf(release, phase)!
    const { app, own } = state
    const { leadTimeMinutes } = reminderOf(app, phase)
    const reminded = { ...own.reminded, [phase]: { target, leadTimeMinutes } }
    await changeReleasePlan(scope, release, { reminded })
    const isFrozen = freezesAt(app.freezes, phase, target).length > 0
    recordReleaseEvent(scope, release, {
      type: REMINDER_OF[phase],
      title: `${release.version} is due to be ${SOON[phase]} at ${target}`,
      data: { targetAt: target, leadTimeMinutes },
      payload: async () => ({
        incompleteSteps: incomplete((await loadFacts(scope, release)).facts, phase),
        ...(isFrozen && { frozen: true }),
      }),
    })
  }
  await planAhead(scope, release)
}

/** Returns the incomplete required steps before a phase. */
function incomplete(facts: ReleaseFacts, phase: Phase) {
  const statuses = statusesOf(assessSteps(facts))
  const missing = {
    kickoff: () =>
      facts.steps.filter(
        ({ id, type, required }) =>
          type === 'kickoff' && required && statuses.get(id) !== 'complete'
      ),
    submit: () => missingBeforeSubmission(facts, statuses),
    release: () => missingBeforeTakeoff(facts, statuses),
  }[phase]()
  return missing.map(({ stepConfigId, name }) => ({ stepConfigId, name }))
}

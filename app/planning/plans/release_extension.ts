import { freezesAt, PHASES } from '../calendar/freezes.js'
import { dateIn } from '../calendar/local_time.js'
import { awayOn } from '../calendar/rotation.js'
import { canRunPhase } from '../automations/who_carries_out.js'
import { resumeKind } from '../work_kinds.js'
import { planAhead, cancelTimers } from './plan_ahead.js'
import { appPlan, releasePlan, zoneOf } from './plans.js'
import {
  automationAt,
  heldBy,
  planStateOf,
  remindAt,
  targetOf,
  waitsForTrain,
} from './plan_state.js'
import type { ReleaseExtension } from '#releases/extensions'
import type { Planning } from '#releases/ports'
import { bumpsBeforeKickoff, choosesBuilds } from '../automations/automatic_steps.js'
import { whyHeld } from '../automations/why_held.js'
import { endRun } from '../work/automations.js'
import { endFollowUp, endFollowUps } from '../work/follow_ups.js'

/** Extends releases by planning: what happens by itself, and when. */
export const releaseExtension: ReleaseExtension = {
  name: 'planning',
  facts: {
    async of(scope, release) {
      const state = await planStateOf(scope, release)
      const automations = []
      for (const action of PHASES) {
        const isWaiting = action === 'kickoff' && waitsForTrain(release, state)
        const isSet = isWaiting || automationAt(release, action, state, scope.now) !== null
        automations.push({
          action,
          // Nothing is to wait for an automation that cannot act.
          enabled: isSet && (await canRunPhase(scope, release.appId, action)),
          heldBy:
            heldBy(targetOf(release, action), action, state, scope.now) ??
            (isWaiting ? 'train' : null),
        })
      }
      return {
        automations,
        reminders: PHASES.flatMap((about) => {
          const at = remindAt(release, about, state, scope.now)
          return at === null ? [] : [{ about, at }]
        }),
      }
    },
  },
  lifecycle: {
    async planAhead(scope, release) {
      if (release.status === 'skipped') await endFollowUps(scope, release)
      await planAhead(scope, release)
    },
    async remove(scope, release) {
      const plan = await releasePlan(scope, release)
      await cancelTimers(scope, plan)
      if (plan.pause) await scope.jobs.cancel(resumeKind, release.id)
      await scope.table('release_plans').where('release_id', release.id).delete()
    },
  },
}

/** The planning port of releases. */
export const planningOfReleases: Planning = {
  whyHeld,
  dayOf: async (scope, appId, at) => dateIn(await zoneOf(scope, appId), at),
  async away(scope, appId, at) {
    const { cadence } = await appPlan(scope, appId)
    return cadence ? awayOn(cadence.absences, dateIn(cadence.timezone, at)) : []
  },
  bumpsBeforeKickoff,
  choosesBuilds,
  ended: (scope, release, ended) =>
    'askedBy' in ended ? endFollowUp(scope, release, ended) : endRun(scope, release, ended),
  async warnings(scope, release, action) {
    const { freezes } = await appPlan(scope, release.appId)
    return freezesAt(freezes, action, scope.now).map(({ name, endAt }) => ({
      code: 'frozen',
      message: `The freeze ${name} lasts until ${endAt}: automations do not run until then.`,
    }))
  },
}

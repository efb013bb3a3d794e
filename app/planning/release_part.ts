import { freezesAt, PHASES } from './calendar/freezes.js'
import { CARRIERS } from './carriers.js'
import { resuming } from './kinds.js'
import { planAhead, cancelTimers } from './plan_ahead.js'
import { appPlan, releasePlan } from './plans.js'
import { automationAt, heldBy, remindAt, standingOf, targetOf } from './standing.js'
import type { ReleasePart } from '#releases/parts'
import { bumpsBeforeKickoff } from './bumps_before_kickoff.js'
import { endTurn, heldNow } from './work/automations.js'
import { endFollowUp } from './work/follow_ups.js'

/** What planning takes part in of a release: what happens to it by itself, and when. */
export const releasePart: ReleasePart = {
  name: 'planning',

  async facts(scope, release) {
    const standing = await standingOf(scope, release)
    return {
      automations: PHASES.map((action) => ({
        action,
        // One that this service cannot carry out would only be waited for.
        enabled:
          CARRIERS[action] !== undefined &&
          automationAt(release, action, standing, scope.now) !== null,
        heldBy: heldBy(targetOf(release, action), action, standing, scope.now),
      })),
      reminders: PHASES.flatMap((about) => {
        const at = remindAt(release, about, standing, scope.now)
        return at === null ? [] : [{ about, at }]
      }),
    }
  },

  planAhead: (scope, release) => planAhead(scope, release),

  holds: heldNow,

  bumpsBeforeKickoff,

  ended: (scope, release, ended) =>
    'askedBy' in ended ? endFollowUp(scope, release, ended) : endTurn(scope, release, ended),

  async warnings(scope, release, action) {
    const { freezes } = await appPlan(scope, release.appId)
    return freezesAt(freezes, action, scope.now).map(({ name, endAt }) => ({
      code: 'frozen',
      message: `The freeze ${name} lasts until ${endAt}: automations leave this be until then.`,
    }))
  },

  async remove(scope, release) {
    const plan = await releasePlan(scope, release)
    await cancelTimers(scope, plan)
    if (plan.pause) await scope.agenda.cancel(resuming, release.id)
    await scope.table('release_plans').where('release_id', release.id).delete()
  },
}

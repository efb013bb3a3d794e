import { later } from '#foundation/core/clock'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { checkStopKind } from '../work_kinds.js'

/** Milliseconds that a store may take to show a stop before people are called. */
const CONFIRMED_WITHIN = 10 * MINUTE

/** Plans the check that calls people if a store does not show in time that a rollout is stopped. */
export const planStopCheck = (
  scope: Scope,
  place: { appId: string; releaseId: string; integrationId: string },
  generation: number
) =>
  scope.jobs.plan(checkStopKind, {
    subject: `${place.releaseId} ${place.integrationId}`,
    at: later(scope.now, CONFIRMED_WITHIN),
    payload: { ...place, generation },
  })

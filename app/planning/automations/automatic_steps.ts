import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { missingFor, onSince } from './follow_ups.js'
import { isHeld, planStateOf, type PlannedRelease } from '../plans/plan_state.js'
import type { FollowUp } from '../vocabulary.js'

/** Returns the automation that bumps the version before a kickoff if it is on and not held. */
export const bumpsBeforeKickoff = (scope: Scope, release: PlannedRelease): Promise<Actor | null> =>
  automationIn(scope, release, 'bumpVersionBeforeKickoff')

/** Returns the automation that chooses the newest build of a store if it is on and not held. */
export const choosesBuilds = (scope: Scope, release: PlannedRelease): Promise<Actor | null> =>
  automationIn(scope, release, 'selectLatestBuild')

async function automationIn(
  scope: Scope,
  release: PlannedRelease,
  type: FollowUp
): Promise<Actor | null> {
  const state = await planStateOf(scope, release)
  if (onSince(release, type, state) === null || isHeld(state, scope.now)) return null
  if ((await missingFor(scope, release.appId, type)).length > 0) return null
  return { type: 'automation', id: null, name: type }
}

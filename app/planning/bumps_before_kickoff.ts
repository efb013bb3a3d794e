import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { missingFor, onSince } from './follow_ups.js'
import { isPaused, standingOf, type PlannedRelease } from './standing.js'

const TYPE = 'bumpVersionBeforeKickoff'

/** Who bumps the version before a kickoff: the automation, where it is on and nothing stops it. */
export async function bumpsBeforeKickoff(
  scope: Scope,
  release: PlannedRelease
): Promise<Actor | null> {
  const standing = await standingOf(scope, release)
  if (onSince(release, TYPE, standing) === null) return null
  if ([standing.app.pause, standing.own.pause].some((each) => isPaused(each, scope.now)))
    return null
  if ((await missingFor(scope, release.appId, TYPE)).length > 0) return null
  return { type: 'automation', id: null, name: TYPE }
}

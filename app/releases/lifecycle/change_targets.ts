import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import type { Targets } from './target_dates.js'

/** Changes the target dates of a release on behalf of an automation. */
export async function changeTargets(
  scope: Scope,
  release: Release,
  targets: Targets,
  actor: Actor
): Promise<void> {
  const { targetKickoffAt, targetSubmitAt, targetReleaseAt } = release
  release.merge({ ...targets, updatedAt: scope.now })
  await release.useTransaction(scope.transaction).save()
  recordTargets(scope, release, { targetKickoffAt, targetSubmitAt, targetReleaseAt }, actor)
  scope.touch(release)
}

/** Records changed target dates. @param previous the old values of those that changed */
export function recordTargets(
  scope: Scope,
  release: Release,
  previous: Partial<Targets>,
  actor?: Actor
): void {
  recordReleaseEvent(scope, release, {
    type: 'release.targetDateUpdated',
    title: `Target dates of ${release.version} changed`,
    actor,
    data: { previous },
    payload: { previous },
  })
}

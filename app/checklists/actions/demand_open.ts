import { refuse } from '#foundation/problems/problem'
import { stateOf } from '#releases/actions/demand_allowed'
import type Release from '#releases/models/release'

/** @throws release_completed, release_skipped: the items of such a release do not change. */
export function demandOpen(release: Release): void {
  if (release.status !== 'completed' && release.status !== 'skipped') return
  throw refuse(`release_${release.status}`, {
    detail: `The release ${release.version} is ${release.status}: its items do not change.`,
    ...stateOf(release),
  })
}

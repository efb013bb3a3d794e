import { refuse } from '#foundation/core/problems/problem'
import type Release from './models/release.js'
import { stateOf } from './demand_allowed.js'

/** @throws release_completed, release_skipped: what a completed or skipped release holds does not change. */
export function demandOpen(release: Release): void {
  const { status } = release
  if (status !== 'completed' && status !== 'skipped') return
  throw refuse(`release_${status}`, {
    detail: `The release ${release.version} is ${release.status}: what it holds does not change.`,
    ...stateOf(release),
  })
}

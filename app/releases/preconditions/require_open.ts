import { refuse } from '#foundation/core/problems/problem'
import type Release from '../models/release.js'
import { stateOf } from './state_of.js'
import { isEnded } from '../lifecycle/open_releases.js'

/** @throws release_completed, release_skipped, because such a release does not change */
export function requireOpen(release: Release): void {
  if (!isEnded(release)) return
  throw refuse(`release_${release.status}`, {
    detail: `The release ${release.version} is ${release.status}: its content can no longer change.`,
    ...stateOf(release),
  })
}

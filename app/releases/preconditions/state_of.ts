import { allowedActions } from '../engine/transitions.js'
import type Release from '../models/release.js'

/** What a 409 about a release tells: where it is, and what may be asked of it. */
export function stateOf(release: Pick<Release, 'status'> & Parameters<typeof allowedActions>[1]) {
  return {
    currentStatus: release.status,
    allowedActions: allowedActions(release.status, release),
  }
}

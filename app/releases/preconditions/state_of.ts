import { allowedActions } from '../engine/transitions.js'
import type Release from '../models/release.js'

/** Returns the members of a 409 about a release: its status and the actions that are allowed. */
export function stateOf(release: Pick<Release, 'status'> & Parameters<typeof allowedActions>[1]) {
  return {
    currentStatus: release.status,
    allowedActions: allowedActions(release.status, release),
  }
}

import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { allowedActions, ruleOn, type ReleaseAction, type Ruling } from './engine/transitions.js'
import type Release from './models/release.js'
import { trainMembers } from './lifecycle/move_train.js'

/** What a 409 about a release tells: where it is, and what may be asked of it. */
export function stateOf(release: Pick<Release, 'status'> & Parameters<typeof allowedActions>[1]) {
  return {
    currentStatus: release.status,
    allowedActions: allowedActions(release.status, release),
  }
}

/**
 * Rules on an action by the transition table.
 * @throws the refusal's code (409) with the present status and the allowed actions.
 */
export async function demandAllowed(
  scope: Scope,
  release: Release,
  action: ReleaseAction
): Promise<Extract<Ruling, { allowed: true }>> {
  const others =
    action === 'unskip'
      ? (await trainMembers(scope, release.appId)).filter((member) => member.id !== release.id)
      : []
  const ruling = ruleOn(release.status, action, release, others)
  if (ruling.allowed) return ruling
  throw refuse(ruling.code, {
    detail: `The release ${release.version} is ${release.status}: ${action} is not possible.`,
    ...stateOf(release),
  })
}

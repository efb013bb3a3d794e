import { helpOn } from '#foundation/core/problems/catalog'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { ruleOn, type ReleaseAction, type Ruling } from '../engine/transitions.js'
import { standingOf } from './require_not_live.js'
import type Release from '../models/release.js'
import { trainMembers } from '../lifecycle/move_train.js'

/**
 * Checks an action against the transition table.
 * @throws the code of the refusal (409), with the current status and the allowed actions
 */
export async function requireAllowed(
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
  const standing = await standingOf(scope, release)
  const isSkipped = action === 'delete' && standing.allowedActions.includes('skip')
  const instead = isSkipped ? ['Skip it instead.'] : []
  throw refuse(ruling.code, {
    detail: `The release ${release.version} is ${release.status}: this action is not possible.`,
    remedy: [helpOn(ruling.code), ...instead].join(' '),
    ...standing,
  })
}

import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { MAX_OPEN_RELEASES } from '#workflow/bounds'
import { trainMembers } from '../lifecycle/move_train.js'

/** @throws too_many_open_releases when the app has the maximum number of open releases */
export async function requireBelowReleaseLimit(scope: Scope, appId: string): Promise<void> {
  const { length } = await trainMembers(scope, appId)
  if (length < MAX_OPEN_RELEASES) return
  throw refuse('too_many_open_releases', {
    detail: `The app has ${length} upcoming or active releases; it can have at most ${MAX_OPEN_RELEASES}.`,
    members: { limit: MAX_OPEN_RELEASES },
  })
}

import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { storesOfRelease } from '#stores/queries/store_state'
import type { RolloutChange } from '#stores/tables'
import { HOLD_REASONS } from './actions/move_rollout.js'
import { isApple, isOver, ladderMove, phaseMove, type Standing } from './due_move.js'
import { policyOf } from './queries/policies.js'
import { standingNow } from './queries/standing_now.js'
import { rollouts } from './tables.js'
import { rolloutsOf } from './watch_rollouts.js'

const LEFT = 'no policy moves it any more'
const NOT_NOW = 'its policy lets it grow later'

/**
 * Checks again an increase that a policy decided before the store could be called: the policy, the
 * calendar, pauses and the guard's numbers may have changed since.
 * @returns why the store must not be called now; null if it may
 */
export async function growthBlocker(
  scope: Scope,
  release: Release,
  integrationId: string,
  to: RolloutChange
): Promise<string | null> {
  const row = (await rolloutsOf(scope, release.id)).find(
    (each) => each.integrationId === integrationId && each.endedAt === null
  )
  const store = (await storesOfRelease(scope, release)).find(
    ({ target }) => target.integrationId === integrationId
  )
  const policy = store ? await policyOf(scope, release.appId, store.destinationId) : null
  if (!row || !store || !policy || isOver(release)) return LEFT
  // The decision to resume cleared the reason of the pause. It is judged like the pause of a quiet
  // day.
  const pausedFor = isApple(store) ? (row.pausedFor ?? 'quiet') : row.pausedFor
  const given = { release, store, policy, row: { ...row, pausedFor } }
  const { isHeld, ...standing } = await standingNow(scope, given)
  const reason = isHeld ? HOLD_REASONS.automations : whyNotNow(scope, standing, to)
  if (reason !== null && pausedFor !== row.pausedFor) {
    await scope.update(rollouts, { id: row.id }, { pausedFor })
  }
  return reason
}

function whyNotNow({ now }: Scope, standing: Standing, to: RolloutChange): string | null {
  if (isApple(standing.store)) {
    const move = phaseMove(standing, now)
    if (move.what !== 'resume') return NOT_NOW
    if (move.at === null) return HOLD_REASONS[standing.health] ?? HOLD_REASONS.notEnoughData
    return move.at > now ? NOT_NOW : null
  }
  const move = ladderMove(standing, now)
  if (move.what === 'hold') return HOLD_REASONS[move.reason] ?? move.reason
  if (move.what !== 'grow' || move.at > now) return NOT_NOW
  const percentage = to.action === 'set' ? to.percentage : 100
  return move.percentage === percentage ? null : 'its policy has another share next'
}

import { OUTSIDE } from '#stores/decisions/reconcile_store'
import { stops } from '#stores/reconciler/states'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { judgementText } from '../guard/judgement_text.js'
import type { RolloutInStore } from '../rollout_entity.js'
import type { RolloutRow } from '../tables.js'
import { isStopByPress, type Pressed } from './pressed.js'

/** Returns who stopped a rollout, how and why; null if no stop is decided. Pure. */
export function stoppedBy(
  store: StoreOfRelease,
  row: RolloutRow | null,
  pressed: Pressed | null
): RolloutInStore['stopped'] {
  const decided = store.plan?.rollout ?? null
  if (decided === null || !stops(decided.to)) return null
  if (pressed !== null && isStopByPress(pressed, store, decided)) {
    const { pressedBy: by, pressedAt: at, reason, issueId: triageIssueId } = pressed
    return { how: 'redButton', by, at, reason, triageIssueId }
  }
  const { by, at } = decided
  const triageIssueId = row?.issueId ?? null
  if (by.type === 'automation') {
    const unhealthy = (row?.judgements ?? []).filter(({ verdict }) => verdict === 'unhealthy')
    const isByGuard = row?.stages.at(-1)?.unhealthyAt !== undefined
    const reason = isByGuard
      ? unhealthy.map(judgementText).join('; ')
      : (row?.next?.message ?? null)
    return { how: isByGuard ? 'guard' : 'policy', by, at, reason: reason || null, triageIssueId }
  }
  const how = by.name === OUTSIDE.name && by.type === OUTSIDE.type ? 'outside' : 'person'
  return { how, by, at, reason: decided.why ?? null, triageIssueId }
}

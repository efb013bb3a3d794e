import { OUTSIDE } from '#stores/decisions/reconcile_store'
import { stops } from '#stores/reconciler/states'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { wordsOf } from '../guard/words.js'
import type { RolloutInStore } from '../rollout_entity.js'
import type { RolloutRow } from '../tables.js'
import { isOfPress, type Pressed } from './pressed.js'

/** Returns who stopped a rollout, how and why; null if it is not to be stopped. Pure. */
export function stoppedBy(
  store: StoreOfRelease,
  row: RolloutRow | null,
  pressed: Pressed | null
): RolloutInStore['stopped'] {
  const decided = store.plan?.rollout ?? null
  if (decided === null || !stops(decided.to)) return null
  if (pressed !== null && isOfPress(pressed, store, decided)) {
    const { pressedBy: by, pressedAt: at, reason, issueId: triageIssueId } = pressed
    return { how: 'redButton', by, at, reason, triageIssueId }
  }
  const { by, at } = decided
  const triageIssueId = row?.issueId ?? null
  if (by.type === 'automation') {
    const bad = (row?.judgements ?? []).filter(({ verdict }) => verdict === 'unhealthy')
    const isBad = row?.stages.at(-1)?.unhealthyAt !== undefined
    const reason = isBad ? bad.map(wordsOf).join('; ') : (row?.next?.message ?? null)
    return { how: isBad ? 'guard' : 'policy', by, at, reason: reason || null, triageIssueId }
  }
  const how = by.name === OUTSIDE.name && by.type === OUTSIDE.type ? 'outside' : 'person'
  return { how, by, at, reason: decided.why ?? null, triageIssueId }
}

import { later } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { isPassing } from '#integrations/outcome_of_call'
import type { RolloutChange, WantedRollout } from '../tables.js'
import { storeRecordOf } from './store_record.js'
import type { StoreOfRelease } from './store_state.js'

/** Milliseconds after which what an outage outlasted is decided anew. */
const AFTER_OUTAGE = 2 * HOUR

/**
 * The same decision of an automation where the store refused it, or people are asked about it. It
 * stands: another one would ask the store the same, though it shows nothing else. Null if it is to
 * be decided, as after an outage that lasted longer than all attempts.
 */
export async function failedBefore(
  scope: Scope,
  { plan, target }: StoreOfRelease,
  to: RolloutChange
): Promise<WantedRollout | null> {
  const decided = plan?.rollout ?? null
  if (decided === null || decided.by.type !== 'automation') return null
  if (decided.stoppedAt !== undefined) return null
  if (JSON.stringify(decided.to) !== JSON.stringify(to)) return null
  if (plan!.question !== null) return decided
  if (decided.is !== 'failed') return null
  if (scope.now < later(decided.at, AFTER_OUTAGE)) return decided
  const { calls = [] } = (await storeRecordOf(scope, target)) ?? {}
  const last = calls.findLast(({ generation }) => generation === decided.generation)
  return last?.outcome?.is === 'refused' && isPassing(last.outcome.code) ? null : decided
}

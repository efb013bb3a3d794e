import { later } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { isPassing } from '#integrations/outcome_of_call'
import type { RolloutChange, WantedRollout } from '../tables.js'
import { storeRecordOf } from './store_record.js'
import type { StoreOfRelease } from './store_state.js'

/** Milliseconds after which a decision that failed in an outage is decided again. */
const AFTER_OUTAGE = 2 * HOUR

/**
 * Returns an equal earlier decision of an automation that the store refused, or that people are
 * asked about. It stands: a new one would only repeat the call. Null if the change is to be
 * decided, as after an outage that outlasted all attempts.
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
  if (decided.status !== 'failed') return null
  if (scope.now < later(decided.at, AFTER_OUTAGE)) return decided
  const { calls = [] } = (await storeRecordOf(scope, target)) ?? {}
  const last = calls.findLast(({ generation }) => generation === decided.generation)
  return last?.outcome?.kind === 'refused' && isPassing(last.outcome.code) ? null : decided
}

import type { RolloutFacts } from '#releases/engine/facts'
import { ownRollout } from '../derive/store_facts.js'
import type { StoreOfRelease } from './store_state.js'

type Reported = Pick<RolloutFacts, 'state' | 'percentage' | 'nextStage' | 'replacedBy'>

/** Returns a rollout in terms that fit every store, `PhasedReleaseData`. */
export function phasedData(
  { state, percentage, nextStage, replacedBy = null }: Reported,
  store: StoreOfRelease | null
) {
  const rollout = ownRollout(store?.version?.known ?? null)
  return {
    enabled: rollout !== null || state !== null,
    status: state ?? ('notStarted' as const),
    ...(state === 'replaced' && { replacedBy }),
    percentage,
    day: rollout?.day ?? null,
    startedAt: rollout?.startedAt ?? store?.facts.dates.releasedAt ?? null,
    automated: nextStage !== null,
  }
}

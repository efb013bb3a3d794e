import { flagWatchOf } from '#features/flags/watch_flags'
import type { StoreExtension } from '#stores/extensions'
import { growthBlocker } from './growth_blocker.js'
import { firstShareBy } from './policy/policy.js'
import { policyOf } from './queries/policies.js'
import { statisticsOf } from './queries/statistics.js'
import { watchRollouts } from './watch_rollouts.js'

/** The contributions of rollouts to stores. */
export const storeExtension: StoreExtension = {
  name: 'rollouts',
  health: statisticsOf,
  moved: watchRollouts,
  growthBlocker,
  async flagChanges(scope, releaseId) {
    const { changes = [] } = (await flagWatchOf(scope, releaseId)) ?? {}
    return [...changes].reverse()
  },
  async firstShare(scope, target, release) {
    const { appId, destinationId } = target
    return firstShareBy(await policyOf(scope, appId, destinationId), target, release)
  },
}

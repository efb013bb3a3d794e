import { flagWatchOf } from '#features/flags/watch_flags'
import type { StorePart } from '#stores/parts'
import { policyOf } from './queries/policies.js'
import { statisticsOf } from './queries/statistics.js'

/** What rollouts say of versions in stores. */
export const storePart: StorePart = {
  name: 'rollouts',
  health: statisticsOf,
  async flagChanges(scope, releaseId) {
    const { changes = [] } = (await flagWatchOf(scope, releaseId)) ?? {}
    return [...changes].reverse()
  },
  async firstShare(scope, { appId, destinationId }) {
    const policy = await policyOf(scope, appId, destinationId)
    return policy && policy.ladder[0].percentage / 100
  },
}

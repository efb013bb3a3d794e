import { prefetchIntegrations } from '#integrations/queries/app_integrations'
import { holderOf } from '#releases/engine/conditions'
import type { ReleaseExtension } from '#releases/extensions'

import { FeatureReadinessReleaseStepData } from './entities.js'
import { watchFlags } from './flags/watch_flags.js'
import { takePicks } from './readiness/picks_seen.js'
import { prefetchFeatures, releaseFeaturesOf } from './queries/release_features.js'
import type { FeatureCounts } from './tables.js'
import { watchFeatures } from './work/watch.js'

const NOTHING: FeatureCounts = { ready: 0, notReady: 0, ignored: 0, missing: 0 }

/** Returns the counts as a step shows them: a missing item is not ready. */
function shown({ ready, notReady, ignored, missing }: FeatureCounts) {
  const open = notReady + missing
  return { total: ready + open + ignored, ready, notReady: open, ignored }
}

/** Extends releases by their work items, from which steps of feature readiness are derived. */
export const releaseExtension: ReleaseExtension = {
  name: 'features',
  facts: {
    async ofSteps(scope, { id }) {
      const counts = (await releaseFeaturesOf(scope, id))?.counts ?? null
      return counts === null ? [] : [{ type: 'featureReadiness', facts: { counts } }]
    },
    correct: takePicks,
    prefetch(scope, { id, appId }) {
      prefetchFeatures(scope, id)
      prefetchIntegrations(scope, appId)
    },
  },
  lifecycle: {
    readImported: watchFeatures,
    async planAhead(scope, release) {
      await watchFeatures(scope, release)
      await watchFlags(scope, release)
    },
  },
  presentation: {
    /** Reports a branch that is gone: the release is no longer observed, and takes no more code. */
    async stalled(scope, { id, status }) {
      const { missingBranch = null } = (await releaseFeaturesOf(scope, id)) ?? {}
      if (status !== 'active' || missingBranch === null) return []
      return [
        {
          code: 'branch_missing',
          message: `The branch ${missingBranch} no longer exists: its last known state counts, and it takes no more code. It is followed again once a branch of that name exists, or one that the settings of the app name and that continues it.`,
          subject: { type: 'branch', id: missingBranch, name: missingBranch },
          who: [holderOf('CreateBranchPromoteCode')],
        },
      ]
    },
    steps: {
      data: { featureReadiness: FeatureReadinessReleaseStepData },
      async of(scope, release) {
        const { counts } = (await releaseFeaturesOf(scope, release.id)) ?? { counts: null }
        return {
          dataOf: ({ type }) =>
            type === 'featureReadiness' ? shown(counts ?? NOTHING) : undefined,
        }
      },
      example: { data: { featureReadiness: shown(NOTHING) } },
    },
  },
}

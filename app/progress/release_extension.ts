import { prefetchIntegrations } from '#integrations/queries/app_integrations'
import type { ReleaseExtension } from '#releases/extensions'
import { prefetchProgress, hasSource, seenOf } from './progress.js'
import { testRunFacts } from './test_runs.js'
import { watchProgress } from './watch.js'

/** Provides the facts of translations and test runs that steps depend on. */
export const releaseExtension: ReleaseExtension = {
  name: 'progress',
  facts: {
    async of(scope, { id, appId }) {
      if (!(await hasSource(scope, appId, 'testRuns'))) return {}
      const runs = (await seenOf(scope, id, 'testRuns')) ?? []
      return runs.length === 0 ? {} : { testRuns: testRunFacts(runs) }
    },
    async ofSteps(scope, { id, appId }) {
      if (!(await hasSource(scope, appId, 'translations'))) return []
      const locales = await seenOf(scope, id, 'translations')
      return locales === null ? [] : [{ type: 'translations', facts: { locales } }]
    },
    prefetch(scope, { id, appId }) {
      prefetchIntegrations(scope, appId)
      prefetchProgress(scope, id)
    },
  },
  lifecycle: {
    planAhead: (scope, release, { steps }) => watchProgress(scope, release, steps),
  },
}

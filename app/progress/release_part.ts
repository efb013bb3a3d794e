import { askIntegrationsAhead } from '#integrations/queries/app_integrations'
import type { TranslationsFacts } from '#releases/engine/facts'
import { recordRunFacts } from '#releases/lifecycle/record_run_facts'
import type { ReleasePart } from '#releases/parts'
import { askProgressAhead, hasSource, seenOf } from './progress.js'
import { testRunFacts } from './test_runs.js'
import { watchProgress } from './watch.js'

/** What steps of a release live from that is done elsewhere: translations, and runs of tests. */
export const releasePart: ReleasePart = {
  name: 'progress',
  facts: {
    async of(scope, { id, appId }) {
      if (!(await hasSource(scope, appId, 'testRuns'))) return {}
      const runs = (await seenOf(scope, id, 'testRuns')) ?? []
      return runs.length === 0 ? {} : { testRuns: testRunFacts(runs) }
    },
    /** How far locales are is a fact of the current run of each such step. */
    async correct(scope, release, { steps, facts }) {
      const open = steps.filter(({ type }) => type === 'translations')
      if (open.length === 0 || !(await hasSource(scope, release.appId, 'translations')))
        return false
      const locales = await seenOf(scope, release.id, 'translations')
      if (locales === null) return false
      const seen: TranslationsFacts = { locales }
      let hasChanged = false
      for (const step of open) if (await recordRunFacts(scope, step, seen)) hasChanged = true
      for (const step of facts.steps) if (step.type === 'translations') step.facts = seen
      return hasChanged
    },
    askAhead(scope, { id, appId }) {
      askIntegrationsAhead(scope, appId)
      askProgressAhead(scope, id)
    },
  },
  lifecycle: {
    planAhead: (scope, release, { steps }) => watchProgress(scope, release, steps),
  },
}

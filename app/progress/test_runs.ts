import type { TestRunExtension } from '#checklists/extensions'
import type { TestRunFacts } from '#releases/engine/facts'
import { hasSource, seenOf } from './progress.js'
import type { SeenTestRun } from './vocabulary.js'

/** Provides test runs in the form that regression testing steps show. */
export const shownTestRuns: TestRunExtension = {
  async of(scope, { id, appId }) {
    const hasNone = appId !== undefined && !(await hasSource(scope, appId, 'testRuns'))
    if (hasNone) return []
    return ((await seenOf(scope, id, 'testRuns')) ?? []).map(shown)
  },
}

const STATUSES = ['untested', 'passed', 'failed', 'blocked', 'skipped'] as const

function shown({ id, name, url, provider, counts, failures = [] }: SeenTestRun) {
  const total = totalOf(counts)
  return {
    ...{ id, name, url, provider, total },
    statuses: STATUSES.filter((type) => counts[type] > 0).map((type) => ({
      type,
      label: type,
      count: counts[type],
    })),
    failures,
    passed: total === 0 ? 0 : Math.floor((100 * counts.passed) / total),
  }
}

const totalOf = (counts: SeenTestRun['counts']) =>
  STATUSES.reduce((sum, type) => sum + counts[type], 0)

/** Derives the facts of regression testing from test runs; skipped tests count as done. */
export function testRunFacts(runs: readonly SeenTestRun[]): TestRunFacts {
  const sum = (of: (counts: SeenTestRun['counts']) => number) =>
    runs.reduce((all, { counts }) => all + of(counts), 0)
  return {
    failed: sum(({ failed, blocked }) => failed + blocked),
    // Tests that a closed run left undone stay undone.
    untested: runs.reduce((all, run) => all + (run.closed ? 0 : run.counts.untested), 0),
    done: sum(({ passed, skipped }) => passed + skipped),
  }
}

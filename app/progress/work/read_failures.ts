import type { TestManagement, TestRun } from '#plugin-kit/capabilities/work'
import { isProviderError } from '#plugin-kit/provider_error'
import type { SeenFailure, SeenTestRun } from '../vocabulary.js'

/** Failed tests that are kept of a run, and pages of results that one poll reads. */
const MAX_FAILURES = 100
const MAX_PAGES = 20

/** Statuses in the words of providers: `Failed`, `FAIL`, `blocked`. */
const FAILED = /^(fail|block)/i

interface ObservedRuns {
  runs: readonly TestRun[]
  /** The runs as last observed. */
  known: readonly SeenTestRun[]
  seen(run: TestRun): SeenTestRun
}

/**
 * Adds the failed and blocked tests to runs. Results are read only for runs whose number of
 * failures has changed. Those that are left out or cannot be read follow with the next poll.
 */
export async function withFailures(
  tests: TestManagement,
  { runs, known, seen }: ObservedRuns
): Promise<SeenTestRun[]> {
  const all: SeenTestRun[] = []
  const budget = { pages: MAX_PAGES }
  for (const run of runs) {
    const shown = seen(run)
    const { failed, blocked } = run.counts
    const before = known.find(({ id }) => id === shown.id)
    const isSame = before?.counts.failed === failed && before.counts.blocked === blocked
    const failures =
      failed + blocked === 0
        ? undefined
        : isSame && before.failures
          ? before.failures
          : await readFailures(tests, run.id, budget)
    all.push(failures ? { ...shown, failures } : shown)
  }
  return all
}

/** @returns undefined if the results could not be read completely */
async function readFailures(
  tests: TestManagement,
  runId: string,
  budget: { pages: number }
): Promise<SeenFailure[] | undefined> {
  const failures: SeenFailure[] = []
  // A run whose results need more than a whole poll gets only its first pages.
  const hasAll = budget.pages === MAX_PAGES
  let cursor: string | undefined
  try {
    while (budget.pages > 0) {
      budget.pages -= 1
      const { items, next } = await tests.listResults(runId, cursor)
      failures.push(...items.filter(({ status }) => FAILED.test(status)).map(seenFailure))
      const isLast = next === undefined || (hasAll && budget.pages === 0)
      if (isLast || failures.length >= MAX_FAILURES) {
        return failures.slice(0, MAX_FAILURES)
      }
      cursor = next
    }
  } catch (error) {
    // The counts of the run are known anyway, so the poll goes on.
    if (!isProviderError(error)) throw error
  }
  return undefined
}

type TestResult = Awaited<ReturnType<TestManagement['listResults']>>['items'][number]

const seenFailure = ({ id, title, status, assignee }: TestResult): SeenFailure => ({
  id: id.slice(0, 100),
  title: title.slice(0, 200),
  status: status.slice(0, 64),
  assignee: assignee?.slice(0, 200) ?? null,
})

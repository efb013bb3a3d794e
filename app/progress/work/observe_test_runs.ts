import { everyPage } from '#integrations/every_page'
import type { TestManagement, TestRun } from '#plugin-kit/capabilities/work'
import type { SeenTestRun } from '../vocabulary.js'
import { observe } from './observe.js'
import { withFailures } from './read_failures.js'

/** Pages that one poll reads, and test runs that are kept of it. */
const MAX_PAGES = 20
const MAX_RUNS = 200

/**
 * Polls the test runs of a version, found by the keywords in their names, and their failed tests.
 */
export const observeTestRuns = observe('testRuns', 'test management', async (tests, about) => {
  const { version, type, data, before } = about
  const keywords = String(data.testRunNameKeywords ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  const found = await findRuns(tests, keywords, version)
  const known = (before ?? []).filter(({ provider }) => provider === providerOf(type))
  return withFailures(tests, { runs: found, known, seen: (run) => seenRun(run, type) })
})

async function findRuns(
  tests: TestManagement,
  keywords: string[],
  version: string
): Promise<TestRun[]> {
  const found = await everyPage((cursor) => tests.findRuns(keywords, version, cursor), MAX_PAGES)
  return found.slice(0, MAX_RUNS)
}

const providerOf = (type: string) => type.slice(0, 64)

const seenRun = ({ id, name, url, counts, closed }: TestRun, provider: string): SeenTestRun => ({
  id: id.slice(0, 100),
  name: name.slice(0, 200) || id.slice(0, 100),
  url: url ?? null,
  provider: providerOf(provider),
  counts,
  closed,
})

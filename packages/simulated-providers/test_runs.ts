import { HOUR } from './durations.js'
import { chance } from './chance.js'

/*
 * Test runs: each version that CI has built is tested, test by test over some hours. Instants are
 * milliseconds since the epoch.
 */

interface SimulatedTestRun {
  id: string
  /** Null for a run that every project shows. */
  project: string | null
  name: string
  closed: boolean
}

interface SimulatedTestResult {
  id: string
  runId: string
  title: string
  status: string
  assignee: string | null
}

export interface SimulatedTests {
  /** Names of runs: `{version}` stands for the version. */
  names: readonly string[]
  /** Tests of a run, and how long all of them take. */
  perRun: number
  lastingMs: number
  /** Shares of tests that fail or are blocked, 0 to 1. */
  failed: number
  blocked: number
  /** The share of regression items that a person marks as failed at first, 0 to 1. */
  byHand: number
  /** Delay after which failed or blocked tests are repeated and pass; null for never. */
  retestMs: number | null
  /** The runs of a scenario. */
  runs: readonly SimulatedTestRun[]
  results: readonly SimulatedTestResult[]
}

export const USUAL_TESTS: SimulatedTests = {
  names: ['Regression {version} iOS', 'Regression {version} Android'],
  perRun: 20,
  lastingMs: 6 * HOUR,
  failed: 0.03,
  blocked: 0.01,
  byHand: 0.15,
  retestMs: 3 * HOUR,
  runs: [],
  results: [],
}

interface Tested {
  seed: string
  now: number
  versions: readonly { version: string; at: number }[]
}

/** Returns the runs of the versions that CI has built. */
const runsOfVersions = ({ names }: SimulatedTests, { versions }: Tested) =>
  versions.flatMap(({ version, at }) =>
    names.map((name, index) => ({
      ...{ id: `${version}-${index + 1}`, at },
      name: name.replaceAll('{version}', version),
    }))
  )

export function testRunsAt(tests: SimulatedTests, tested: Tested): SimulatedTestRun[] {
  const ends = (at: number) => at + tests.lastingMs + HOUR
  const own = runsOfVersions(tests, tested).map(({ id, name, at }) => ({
    ...{ id, name, project: null },
    closed: tested.now >= ends(at),
  }))
  return [...tests.runs, ...own]
}

/** Returns the present results of a run's tests. */
export function resultsAt(
  tests: SimulatedTests,
  tested: Tested,
  runId: string
): SimulatedTestResult[] {
  const given = tests.results.filter((each) => each.runId === runId)
  const run = runsOfVersions(tests, tested).find(({ id }) => id === runId)
  if (!run) return given
  return Array.from({ length: tests.perRun }, (_, index) => {
    const doneAt = run.at + ((index + 1) / tests.perRun) * tests.lastingMs
    const rolled = chance(tested.seed, 'test', runId, index)
    const { failed, blocked, retestMs } = tests
    const isRetested = retestMs !== null && tested.now >= doneAt + retestMs
    const first = rolled < failed ? 'failed' : rolled < failed + blocked ? 'blocked' : 'passed'
    const verdict = isRetested ? 'passed' : first
    return {
      ...{ id: `${runId}-${index + 1}`, runId, title: `Case ${index + 1}` },
      status: tested.now < doneAt ? 'untested' : verdict,
      assignee: tested.now < doneAt ? null : ['Ada', 'Grace', 'Linus'][index % 3],
    }
  })
}

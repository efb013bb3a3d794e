import { test } from '@japa/runner'
import type { TestManagement, TestRun } from '#plugin-kit/capabilities/work'
import { ProviderError } from '#plugin-kit/provider_error'
import type { SeenTestRun } from '../vocabulary.js'
import { withFailures } from '../work/read_failures.js'

const COUNTS = { passed: 3, failed: 0, blocked: 0, untested: 0, skipped: 0 }

const runOf = (id: string, counts: Partial<TestRun['counts']>): TestRun => ({
  ...{ id, name: id, closed: false },
  counts: { ...COUNTS, ...counts },
})

const seen = ({ id, name, counts, closed }: TestRun): SeenTestRun => ({
  ...{ id, name, counts, closed },
  ...{ url: null, provider: 'qase' },
})

/** Returns test management with pages of two results, which counts the pages it was asked for. */
function makeTests(statuses: readonly string[]) {
  const requested: string[] = []
  const isAway = { now: false }
  const listResults: TestManagement['listResults'] = async (runId, cursor) => {
    requested.push(runId)
    if (isAway.now) throw new ProviderError('unavailable', 'Away', { outcome: 'notApplied' })
    const from = Number(cursor ?? 0)
    const items = statuses.slice(from, from + 2).map((status, index) => ({
      id: String(from + index + 1),
      title: `Case ${from + index + 1}`,
      status,
    }))
    return { items, ...(from + 2 < statuses.length && { next: String(from + 2) }) }
  }
  const unasked = () => Promise.reject(new Error('It is not asked'))
  const tests: TestManagement = { listResults, findRuns: unasked, getRun: unasked }
  const look = (runs: TestRun[], known: SeenTestRun[] = []) =>
    withFailures(tests, { runs, known, seen })
  return { asked: requested, isAway, look }
}

const titles = (runs: readonly SeenTestRun[]) =>
  runs.map(({ failures }) => failures?.map(({ title }) => title))

test.group('Failed tests of a run', () => {
  test('are read by name, whatever word the provider has for them', async ({ assert }) => {
    const { look } = makeTests(['passed', 'Failed', 'BLOCKED', 'untested', 'FAIL'])
    const runs = await look([runOf('1', { failed: 2, blocked: 1 })])
    assert.deepEqual(titles(runs), [['Case 2', 'Case 3', 'Case 5']])
    const [first] = runs[0].failures!
    assert.deepEqual(first, { id: '2', title: 'Case 2', status: 'Failed', assignee: null })
  })

  test('are read again where their numbers change alone', async ({ assert }) => {
    const { asked: requested, look } = makeTests(['failed', 'passed'])
    const idle = await look([runOf('1', {})])
    assert.deepEqual([requested, titles(idle)], [[], [undefined]])
    const failing = await look([runOf('1', { failed: 1 })], idle)
    assert.deepEqual(requested, ['1'])
    const again = await look([runOf('1', { failed: 1, passed: 9 })], failing)
    assert.deepEqual([requested.length, titles(again)], [1, [['Case 1']]])
    await look([runOf('1', { failed: 1, blocked: 1 })], again)
    assert.lengthOf(requested, 2)
    assert.deepEqual(titles(await look([runOf('1', {})], again)), [undefined])
  })

  test('follow later where they cannot be read; the numbers stand', async ({ assert }) => {
    const { isAway, look } = makeTests(['failed'])
    isAway.now = true
    const without = await look([runOf('1', { failed: 1 })])
    assert.deepEqual(titles(without), [undefined])
    assert.equal(without[0].counts.failed, 1)
    isAway.now = false
    assert.deepEqual(titles(await look([runOf('1', { failed: 1 })], without)), [['Case 1']])
  })

  test('are a hundred of a run at most, and twenty pages of a look', async ({ assert }) => {
    const runs = ['1', '2'].map((id) => runOf(id, { failed: 300 }))
    const { asked: requested, look } = makeTests(Array.from({ length: 300 }, () => 'failed'))
    const first = await look(runs)
    assert.deepEqual(
      [requested.length, titles(first).map((each) => each?.length)],
      [20, [40, undefined]]
    )
    const next = await look(runs, first)
    assert.deepEqual([requested.length, titles(next).map((each) => each?.length)], [40, [40, 40]])
    const results = Array.from({ length: 300 }, (_, index) => ({
      ...{ id: String(index), title: `Case ${index}`, status: 'failed' },
    }))
    const whole: TestManagement['listResults'] = async () => ({ items: results })
    const [run] = await withFailures({ listResults: whole } as TestManagement, {
      ...{ runs: runs.slice(0, 1), known: [], seen },
    })
    assert.lengthOf(run.failures!, 100)
  })
})

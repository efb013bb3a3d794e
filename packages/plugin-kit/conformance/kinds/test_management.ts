import assert from 'node:assert/strict'
import type { TestManagementScenario } from '../../fake/scenario.js'
import type { TestRun } from '../../capabilities/work.js'
import { failsWith } from '../expecting.js'
import { textIn, type Data, type KindSuite } from './suite.js'

const VERSION = '1.2.3'
const KEYWORDS = ['Regression', 'iOS']

function scenarioOf(data: Data, count = 0): { testManagement: TestManagementScenario } {
  const project = textIn(data, 'project', 'App')
  const run = (id: string, name: string, closed = false) => ({ id, project, name, closed })
  const result = (id: number, status: string, assignee: string | null = null) => ({
    id: `${id}`,
    runId: '1',
    title: `Test ${id}`,
    status,
    assignee,
  })
  return {
    testManagement: {
      runs: [
        run('1', 'Regression 1.2.3 iOS'),
        run('2', 'iOS: second regression of 1.2.3', true),
        run('3', 'Regression 1.2.30 iOS'),
        run('4', 'Regression 1.2.3 Android'),
        run('5', 'Smoke 1.2.3 iOS'),
        ...Array.from({ length: count }, (_, index) =>
          run(`${index + 100}`, `Regression 9.9.9 iOS, part ${index}`)
        ),
      ],
      results: [
        result(1, 'passed', 'Ada'),
        result(2, 'passed'),
        result(3, 'failed', 'Grace'),
        result(4, 'blocked'),
        result(5, 'skipped'),
        result(6, 'untested'),
        result(7, 'needsAnotherDevice'),
      ],
    },
  }
}

const idsOf = (runs: readonly TestRun[]) => runs.map(({ id }) => id).sort()

/** Test runs and their results. */
export const testManagement: KindSuite<'testManagement'> = {
  kind: 'testManagement',
  scenario: (data) => scenarioOf(data),
  read: (capability) => capability.findRuns(KEYWORDS, VERSION),
  absent: (capability) => capability.getRun('404'),
  list: {
    scenario: (count, data) => scenarioOf(data, count),
    page: (capability, cursor) => capability.findRuns(KEYWORDS, '9.9.9', cursor),
    idOf: (item) => (item as TestRun).id,
  },
  tour: (capability) => [
    () => capability.findRuns(KEYWORDS, VERSION),
    () => capability.getRun('1'),
    () => capability.listResults('1'),
  ],
  rules: [
    {
      id: 'C1',
      title: 'runs are found by all keywords in any case and order, and by exactly the version',
      async run(_bench, capability) {
        const { items } = await capability.findRuns(KEYWORDS, VERSION)
        assert.deepEqual(idsOf(items), ['1', '2'])
      },
    },
    {
      id: 'C2',
      title: 'every test is counted once; a status that nobody knows counts as untested',
      async run(_bench, capability) {
        const expected = { passed: 2, failed: 1, blocked: 1, skipped: 1, untested: 2 }
        assert.deepEqual({ ...(await capability.getRun('1'))?.counts }, expected)
      },
    },
    {
      id: 'C3',
      title: 'a run says whether it is closed',
      async run(_bench, capability) {
        const closed = async (id: string) => (await capability.getRun(id))?.closed
        assert.deepEqual([await closed('1'), await closed('2')], [false, true])
      },
    },
    {
      id: 'C4',
      title: 'results come with title, the provider’s word for the status, and whose they are',
      async run(_bench, capability) {
        const { items } = await capability.listResults('1')
        const reported = items.map(({ id, title, status, assignee }) => [
          id,
          title,
          status,
          assignee,
        ])
        assert.deepEqual(reported.find(([id]) => id === '3')?.slice(1, 4), [
          'Test 3',
          'failed',
          'Grace',
        ])
        assert.deepEqual(reported.find(([id]) => id === '7')?.at(2), 'needsAnotherDevice')
        assert.equal(reported.find(([id]) => id === '2')?.at(3), undefined)
      },
    },
    {
      id: 'C5',
      title: 'results of a run that does not exist are reported as such',
      async run(_bench, capability) {
        await failsWith(capability.listResults('404'), 'notFound')
      },
    },
  ],
}

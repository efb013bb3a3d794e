import assert from 'node:assert/strict'
import type { CiScenario } from '../../fake/scenario.js'
import type { CiRun, ContinuousIntegration, RunRequest } from '../../capabilities/source.js'
import { failsWith } from '../expecting.js'
import { textIn, type Data, type KindSuite } from './suite.js'

const workflowIn = (data: Data) => textIn(data, 'workflowId', 'release')
const AT = { branch: 'release/1.2.3', sha: 'a'.repeat(40) }

function scenarioOf(data: Data, state = 'succeeded', count = 1): { ci: CiScenario } {
  const workflowId = workflowIn(data)
  const run = (id: string) => ({ id, workflowId, ...AT, state })
  const artifact = { runId: '1', isExpired: false }
  return {
    ci: {
      workflows: [{ id: workflowId, name: 'Release' }],
      runs: Array.from({ length: count }, (_, index) => run(`${index + 1}`)),
      artifacts: [
        { ...artifact, id: '71', name: 'app.ipa', content: 'the app' },
        { ...artifact, id: '72', name: 'old.ipa', content: 'an old app', isExpired: true },
      ],
    },
  }
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream as ConstructorParameters<typeof Response>[0]).text()
}

const trigger = (capability: ContinuousIntegration, m: RunRequest, data: Data) =>
  capability.trigger(workflowIn(data), AT, { lane: 'beta' }, m)

async function begun(capability: ContinuousIntegration, m: RunRequest, data: Data): Promise<CiRun> {
  const result = await trigger(capability, m, data)
  const run =
    'pendingToken' in result
      ? await capability.resolvePending!(result.pendingToken, m.isTaken)
      : result
  assert.ok(run, 'The run cannot be found')
  return run
}

/** Workflows, their runs, and what a run made. */
export const ci: KindSuite<'ci'> = {
  kind: 'ci',
  scenario: (data) => scenarioOf(data),
  read: (capability) => capability.getRun('1'),
  absent: (capability) => capability.getRun('404'),
  list: {
    scenario: (count, data) => scenarioOf(data, 'succeeded', count),
    page: (capability, cursor, data) =>
      capability.listRuns({ workflowId: workflowIn(data) }, cursor),
    idOf: (item) => (item as { id: string }).id,
  },
  change: {
    run: trigger,
    effects: (state) => (state.ci?.runs.length ?? 0) - 1,
  },
  strange: {
    scenario: (state, data) => scenarioOf(data, state),
    observe: async (capability) => {
      const run = await capability.getRun('1')
      assert.ok(run, 'The run is not there')
      return run.status
    },
  },
  tour: (capability, mutation, data) => [
    () => capability.listWorkflows('Rel'),
    () => trigger(capability, mutation(), data),
    () => capability.getRun('1'),
    () => capability.listRuns({ branch: AT.branch }),
    () => capability.cancel?.('1', mutation()),
    () => capability.listArtifacts('1'),
    async () => textOf(await capability.openArtifact('1', '71')),
  ],
  rules: [
    {
      id: 'C1',
      title: 'what is triggered is a run of that workflow, at that branch',
      async run(bench, capability) {
        const data = bench.options.data.ci ?? {}
        const run = await begun(capability, bench.mutation(), data)
        assert.equal(run.workflowId, workflowIn(data))
        assert.equal(run.branch, AT.branch)
        const found = await capability.getRun(run.id)
        assert.equal(found?.id, run.id)
      },
    },
    {
      id: 'C2',
      title: 'states are ours: queued, running, succeeded, failed, canceled',
      async run(bench, capability) {
        const data = bench.options.data.ci ?? {}
        for (const state of ['queued', 'running', 'succeeded', 'failed', 'canceled']) {
          bench.seed(scenarioOf(data, state))
          assert.equal((await capability.getRun('1'))?.status.state, state)
        }
      },
    },
    {
      id: 'C3',
      title: 'canceling twice is no error',
      feature: 'cancel',
      async run(bench, capability) {
        bench.seed(scenarioOf(bench.options.data.ci ?? {}, 'running'))
        await capability.cancel!('1', bench.mutation())
        await capability.cancel!('1', bench.mutation())
        assert.equal((await capability.getRun('1'))?.status.state, 'canceled')
      },
    },
    {
      id: 'C4',
      title: 'an artifact comes as it was made',
      async run(_bench, capability) {
        const [artifact] = await capability.listArtifacts('1')
        assert.equal(artifact?.name, 'app.ipa')
        assert.equal(await textOf(await capability.openArtifact('1', artifact.id)), 'the app')
      },
    },
    {
      id: 'C5',
      title: 'an artifact that has expired is not found',
      async run(_bench, capability) {
        await failsWith(capability.openArtifact('1', '72'), 'notFound')
      },
    },
    {
      id: 'C6',
      title: 'two requests make two runs, though the answer to the second is lost',
      async run(bench, capability) {
        const data = bench.options.data.ci ?? {}
        const first = await begun(capability, bench.mutation(), data)
        const isTaken = ({ id }: CiRun) => id === first.id
        const second = { ...bench.mutation(), isTaken }
        const inDoubtSince = new Date(bench.nowMs).toISOString()
        bench.fake.failNext('lost')
        await trigger(capability, second, data).catch(() => {})
        const { id } = await begun(capability, { ...second, inDoubtSince }, data)
        assert.notEqual(id, first.id, 'It takes the run of another request')
        assert.equal(bench.fake.state().ci?.runs.length, 3)
      },
    },
  ],
}

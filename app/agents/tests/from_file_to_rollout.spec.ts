import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { test } from '@japa/runner'
import { SimAdvance } from '#simulation/commands/sim_advance'
import { SimScenario } from '#simulation/commands/sim_scenario'
import { SimStart } from '#simulation/commands/sim_start'
import { workThrough } from '#stores/tests/support'
import { runCommand } from '#tests/support/console'
import { makeWorld } from '#tests/support/world'
import { readAnswer } from './support.js'
import { withoutLeftWork } from '#tests/support/left_work'

type Call = (name: string, args: object) => Promise<any>

/** Two clients that share no code, each for the protocol of its time. */
const CLIENTS: Record<
  string,
  (url: URL, key: string) => Promise<{ call: Call; end(): Promise<void> }>
> = {
  'the client of the present revision': async (url, key) => {
    const client = new Client(
      { name: 'Pilot bot', version: '3.0.0' },
      { versionNegotiation: { mode: 'auto' } }
    )
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    await client.listTools()
    const call: Call = (name, args) => client.callTool({ name, arguments: { ...args } })
    return { call, end: () => client.close() }
  },
  'a client of the 2025 era': async (url, key) => {
    const client = new FormerClient({ name: 'Pilot bot', version: '1.0.0' })
    const requestInit = { headers: { 'x-api-key': key } }
    await client.connect(new FormerTransport(url, { requestInit }))
    await client.listTools()
    const call: Call = (name, args) => client.callTool({ name, arguments: { ...args } })
    return { call, end: () => client.close() }
  },
}

const step = (archetype: string) => ({
  steps: [{ name: archetype, archetype, releaseTypes: { standard: { required: true } } }],
})

/**
 * Returns the file of an app with the CI and the store of a simulated world. JSON is valid YAML.
 */
const fileOf = (providers: Record<string, string>) =>
  JSON.stringify({
    name: 'Acme Shop',
    platform: 'android',
    integrations: {
      ci: { type: 'sim-ci', provider: providers.sim, data: { workflowId: 'release' } },
      store: {
        type: 'sim-google',
        provider: providers['sim-google'],
        data: { bundleId: 'com.acme.shop' },
      },
    },
    appStoreReleaseSettings: { releaseMethod: 'automatic', phasedReleaseEnabled: true },
    stepGroups: [
      'kickoff',
      'releaseCandidate',
      'submission',
      'storeReview',
      'takeoff',
      'rollout',
    ].map(step),
  })

async function makeSimulation() {
  const world = await makeWorld()
  const org = `--org=${world.organizationId}`
  const { document } = await runCommand(SimStart, [org])
  await runCommand(SimScenario, ['happy-train', org])
  const connections = document.connections as { plugin: string; id: string }[]
  const work = () => workThrough(world.organizationId)
  return {
    world,
    providers: Object.fromEntries(connections.map(({ plugin, id }) => [plugin, id])),
    work,
    advance: async (span: string) => {
      await runCommand(SimAdvance, [span, org])
      await work()
      await work()
    },
  }
}

test.group('An assistant', (group) => {
  withoutLeftWork(group)

  for (const [name, connect] of Object.entries(CLIENTS)) {
    test(`brings a release from its file to users: ${name}`, async ({ assert }) => {
      const { world, providers, work, advance } = await makeSimulation()
      const url = new URL(`http://${process.env.HOST}:${process.env.PORT}/mcp`)
      const { call, end } = await connect(url, world.adminKey)
      const done = async (tool: string, args: object) => {
        const result = await call(tool, args)
        if (result.isError) throw new Error(result.content[0].text)
        return readAnswer(result).structuredContent
      }
      /** Gets the plan, and has it carried out as if somebody had agreed. */
      const agreed = async (tool: string, args: object) => {
        const shown = await done(tool, args)
        assert.equal(shown.outcome, 'planned')
        const carried = await done(tool, { ...args, plan: shown.plan.token })
        assert.equal(carried.outcome, 'done')
        await work()
        await work()
        return carried
      }
      const app = await agreed('configuration', { action: 'create', body: fileOf(providers) })
      const appId = app.result.id
      const releaseId = `${appId}:4.2.0`
      const its = { appId, releaseId }
      const stepOf = async (type: string) => {
        const fields = ['type', 'status', 'stepRunId']
        const { result } = await done('find_releases', { action: 'steps', ...its, fields })
        return result.find((each: { type: string }) => each.type === type)
      }
      await done('manage_release', { action: 'create', appId, body: { version: '4.2.0' } })
      await agreed('manage_release', { action: 'kick_off', ...its })
      const { stepRunId } = await stepOf('releaseCandidate')
      const branch = { branch: 'release/4.2.0' }
      await agreed('distribute_builds', { action: 'trigger_ci', ...its, stepRunId, body: branch })
      await advance('2h')
      const submission = { submitWithIncompleteSteps: true }
      await agreed('submit_to_store', { action: 'submit', ...its, body: submission })
      await advance('1h')
      const phase = async () =>
        (await done('find_releases', { action: 'get', ...its, fields: ['phase'] })).result.phase
      assert.equal(await phase(), 'inReview')
      await advance('6h')
      await advance('1h')
      assert.equal((await stepOf('rollout')).status, 'inProgress')
      await agreed('rollout', { action: 'change', ...its, body: { action: 'set', percentage: 20 } })
      await advance('1h')
      const run = await done('find_releases', {
        action: 'run',
        ...its,
        stepRunId: (await stepOf('rollout')).stepRunId,
      })
      assert.containsSubset(run.result.data.phased, { status: 'active', percentage: 20 })
      // The red button takes one step.
      const body = { reason: 'It crashes' }
      const stopped = await done('rollout', { action: 'red_button', ...its, body })
      assert.equal(stopped.outcome, 'done')
      const fields = ['actor.name']
      const reported = await done('read_timeline', { action: 'release', ...its, fields })
      const actors = reported.result.data.map(
        (each: { actor: { name: string } }) => each.actor.name
      )
      assert.include(actors, 'admin (agent: Pilot bot)')
      await end()
    }).timeout(60_000)
  }
})

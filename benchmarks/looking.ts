import 'reflect-metadata'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ignite } from '../bin/ignite.js'
import { expectedOf, WorkWorld, workPlugin } from './work_plugin.js'
import type { Looked } from './parts/looks.js'

/*
 * A process that reads the code and the tickets of a release for the first time after a start
 * (cold), then those of another app's release (warm), then reads both again after one more commit.
 * The providers answer at once, so the processor time is the service's own.
 */

const [COMMITS, TICKETS] = [5000, 2000]
/** Number of apps. All of them read the same repository and tracker. */
const APPS = 2

const app = ignite().createApp('console')
await app.init()
await app.boot()
await app.start(() => {})

const { unrestricted } = await import('#foundation/core/principal')
const { plugins } = await import('#integrations/plugins/plugin_registry')
const { ConnectProvider } = await import('#integrations/actions/connect_provider')
const { CreateOrganization } = await import('#organizations/actions/create_organization')
const { RehearsedService } = await import('#simulation/rehearsal/service')

const { container } = app
await (await container.make('migrations')).runDue()
const database = await container.make('lucid.db')
const clock = await container.make('clock')
const secrets = await container.make('integrations.secrets')
const worker = await container.make('jobs.worker')

const given = { world: new WorkWorld(COMMITS, TICKETS) }
const plugin = workPlugin(given)
await plugins.load({ work: async () => ({ default: plugin }) })
const organization = await new CreateOrganization(database as never, clock).handle({
  name: 'Bench',
})
const service = await RehearsedService.of(app, {
  organization,
  actor: { type: 'system', id: null, name: 'benchmark' },
  permissions: unrestricted,
})
await service.write((scope) =>
  new ConnectProvider(scope, secrets).handle({
    manifest: plugin.manifest,
    alias: 'work',
    settings: {},
    credentials: {},
    check: null,
  })
)

const step = (archetype: string) => ({
  steps: [{ name: archetype, archetype, releaseTypes: { standard: { required: true } } }],
})

/** Makes an app with a release whose code and tickets are not read yet; answers the ids of both. */
async function makeRelease(name: string) {
  const file = {
    name,
    platform: 'ios',
    integrations: {
      code: { type: 'bench-vcs', provider: 'work', data: { repoName: 'acme/app' } },
      tickets: { type: 'bench-issues', provider: 'work', data: { projects: ['SHOP'] } },
    },
    branchSettings: {
      code: {
        workingBranch: 'main',
        releaseBranchPatterns: { all: { pattern: 'release/{version}' } },
      },
    },
    tagSettings: { code: { pattern: 'v{version}' } },
    featureAffiliations: {
      'Fix version': { integration: 'tickets', type: 'fixVersion', pattern: '{version}' },
    },
    stepGroups: ['kickoff', 'featureReadiness'].map(step),
  }
  const { id: appId } = await service.ask('createAppFromConfiguration', {
    params: { orgId: organization.id },
    body: { bytes: Buffer.from(JSON.stringify(file)), contentType: 'application/yaml' },
  })
  const body = { version: '1.0.0' }
  const { id: releaseId } = await service.ask('createRelease', { params: { appId }, body })
  return { appId, releaseId }
}

/**
 * Does all work that is due; answers its processor time, the longest block of the event loop (both
 * in milliseconds) and the number of calls to providers.
 */
async function measureDueWork(): Promise<Looked['cold']> {
  const before = process.cpuUsage()
  given.world.calls = 0
  const gaps = monitorEventLoopDelay({ resolution: 1 })
  gaps.enable()
  for (let turn = 0; turn < 3; turn++) await worker.turn()
  gaps.disable()
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1000, gap: gaps.max / 1e6, calls: given.world.calls }
}

const workItemCounts = async (params: { appId: string; releaseId: string }) => {
  const steps = await service.ask('listReleaseSteps', { params })
  return steps.find(({ type }: { type: string }) => type === 'featureReadiness').data
}

const first = await makeRelease('First')
const cold = await measureDueWork()
const counts = JSON.stringify(await workItemCounts(first))
const expected = JSON.stringify(expectedOf(given.world))
if (counts !== expected) throw new Error(`Work items are ${counts}, not ${expected}`)
given.world = new WorkWorld(COMMITS, TICKETS)
await makeRelease('Second')
const warm = await measureDueWork()
given.world.add()
await service.write((scope) => scope.jobs.pollNow())
const afterCommit = await measureDueWork()
const more = {
  cpu: afterCommit.cpu / APPS,
  gap: afterCommit.gap,
  calls: afterCommit.calls / APPS,
}
const reported: Looked = { cold, warm, more }
await app.terminate()
console.log(JSON.stringify(reported))
process.exit(0)

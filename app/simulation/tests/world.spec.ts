import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { metadataOf } from '#app-archives/tests/support/scratch'
import { replaceIntegrations } from '#integrations/store_integrations'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { makeWorld } from '#tests/support/world'
import { SimAdvance } from '../commands/sim_advance.js'
import { SimReset } from '../commands/sim_reset.js'
import { SimScenario } from '../commands/sim_scenario.js'
import { SimStart } from '../commands/sim_start.js'
import { SimState } from '../commands/sim_state.js'
import { chance } from '#simulated-providers/chance'
import { trigger, USUAL_CI } from '#simulated-providers/ci'
import { WORLD_HOST } from '../provider/shared/world_manifest.js'
import { artifactsOf } from '../world/artifacts.js'
import { newWorld } from '../world/world.js'
import { worldHost } from '../world_host.js'
import { withoutLeftWork } from '#tests/support/left_work'

const required = { standard: { required: true } }
const { failing } = USUAL_CI.settings
const fails = (seed: string, run: number) => chance(seed, 'ci fails', run) < failing
const seedWhere = (is: (seed: string) => boolean) =>
  Array.from({ length: 500 }, (_, index) => `seed ${index}`).find(is)!

/** Lets a worker carry out all due jobs. */
async function work() {
  const worker = await app.container.make('jobs.worker')
  await worker.turn()
}

/** Returns an organization with a world, and a release whose builds come from it. */
async function rehearsal(seed: string) {
  const world = await makeWorld()
  const org = `--org=${world.organizationId}`
  const started = await runCommand(SimStart, [org, `--seed=${seed}`, '--alias=World'])
  if (started.code !== 0) throw new Error(started.stderr)
  const { id: provider } = started.document
  const appId = await makeApp(world, {
    steps: [
      { type: 'kickoff', releaseTypes: required },
      { type: 'releaseCandidate', releaseTypes: required },
    ],
  })
  await world.write(async (scope) => {
    const data = { workflowId: 'release' }
    const ci = { key: 'ci', type: 'sim-ci', kind: 'ci', provider, data } as const
    await replaceIntegrations(scope, appId, [ci])
  })
  const path = `/app/${appId}/release/${appId}:4.2.0`
  await world.admin.post(`/app/${appId}/release`, { version: '4.2.0' })
  await world.admin.put(`${path}/kickoff`)
  const step = async () => {
    const { body } = await world.admin.get(`${path}/steps`)
    return body.find(({ type }: { type: string }) => type === 'releaseCandidate')
  }
  const triggerBuild = async () => {
    const { stepRunId } = await step()
    return world.admin.post(`${path}/stepRun/${stepRunId}/triggerCI`, { branch: 'release/4.2.0' })
  }
  const advance = async (span: string) => {
    const result = await runCommand(SimAdvance, [span, org])
    if (result.code !== 0) throw new Error(result.stderr)
    await work()
  }
  const state = async () => (await runCommand(SimState, [org])).document
  return { world, org, appId, path, step, triggerBuild, advance, state, provider, started }
}

test.group('A simulated world', (group) => {
  withoutLeftWork(group)

  test('builds a triggered run in its own time, and its files are apps', async ({ assert }) => {
    const seed = seedWhere((each) => !fails(each, 1))
    const { world, path, step, triggerBuild, advance, state, started } = await rehearsal(seed)
    assert.equal(started.document.status, 'connected')
    assert.equal((await triggerBuild()).status, 200)
    await work()
    assert.equal((await step()).status, 'inProgress')
    await advance('5m')
    const [running] = (await state()).ci.runs
    assert.equal(running.state, 'running')
    await advance('30m')
    await work()
    const { status, stepRunId } = await step()
    assert.equal(status, 'complete')
    const { body: run } = await world.admin.get(`${path}/stepRun/${stepRunId}`)
    const { buildIdentifier, artifacts, integrationId } = run.data.activeBuild
    assert.deepEqual([buildIdentifier, integrationId], ['1', 'sim-ci'])
    assert.lengthOf(artifacts, 2)
    const latest = await world.admin.get(`${path}/stepRun/${stepRunId}/build/latest/download`)
    assert.equal(latest.status, 200)
    assert.match(latest.headers['content-disposition'], /Example\.ipa/)
    const { size } = artifacts.find(({ fileName }: { fileName: string }) =>
      latest.headers['content-disposition'].includes(fileName)
    )
    assert.equal(latest.headers['content-length'], String(size))
  })

  test('the files of a run are apps of its version and number, and the same each time', async ({
    assert,
  }) => {
    const world = newWorld('files')
    const branch = 'release/4.2.0'
    const { run } = trigger(world.ci, world.seed, 0, { workflowId: 'release', branch })
    const files = artifactsOf(world, run, true)
    for (const { name, bytes } of files) {
      const platform = name.endsWith('.ipa') ? 'ios' : 'android'
      const read = await metadataOf(bytes)
      assert.containsSubset(read, { platform, version: '4.2.0', buildNumber: '1' })
      assert.equal(read.bundleId, 'com.example.app')
    }
    assert.deepEqual(artifactsOf(world, run, true), files)
    assert.deepEqual(
      files.map(({ name }) => name),
      ['Example.ipa', 'Example.apk']
    )
  })

  test('a build that fails by its seed blocks the step, and the next begins a new run', async ({
    assert,
  }) => {
    const seed = seedWhere((each) => fails(each, 1) && !fails(each, 2))
    const { step, triggerBuild, advance } = await rehearsal(seed)
    await triggerBuild()
    await work()
    await advance('1h')
    assert.equal((await step()).status, 'blocked')
    await triggerBuild()
    await work()
    await advance('1h')
    await work()
    assert.equal((await step()).status, 'complete')
  })

  test('belongs to its organization only: its time, its runs, its token', async ({ assert }) => {
    const [one, other] = [await rehearsal('one'), await rehearsal('other')]
    await one.triggerBuild()
    await work()
    await one.advance('2d')
    const [here, there] = [await one.state(), await other.state()]
    assert.lengthOf(here.ci.runs, 1)
    assert.isEmpty(there.ci.runs)
    const apart = Date.parse(here.now) - Date.parse(there.now)
    assert.isAbove(apart, 47 * 3_600_000)
    const url = `https://${WORLD_HOST}/v1/ci/runs`
    for (const token of [
      '',
      'x',
      `${one.world.organizationId}.guessed`,
      '.',
      'org_nobody.secret',
    ]) {
      const headers = { authorization: `Bearer ${token}` }
      assert.equal((await worldHost.answer(new Request(url, { headers }))).status, 401)
    }
  })

  test('every call is in the integration log, as with any provider', async ({ assert }) => {
    const { world, triggerBuild, provider } = await rehearsal('log')
    await triggerBuild()
    await work()
    const log = await app.container.make('integrations.log')
    await log.flush()
    const calls = await db.from('integration_calls').where('connection_id', provider)
    const reported = calls.map(({ method, host, path }) => `${method} ${host} ${path}`)
    assert.includeMembers(reported, [`GET ${WORLD_HOST} /v1/me`, `POST ${WORLD_HOST} /v1/ci/runs`])
    assert.isTrue(calls.every((call) => call.organization_id === world.organizationId))
  })

  test('is reset by sim:reset; there is one per organization, and its time does not go back', async ({
    assert,
  }) => {
    const { org, triggerBuild, advance, state } = await rehearsal('again')
    await triggerBuild()
    await work()
    await advance('3d')
    assert.equal((await runCommand(SimStart, [org])).code, 1)
    for (const span of ['5', '400d', 'soon', '2020-01-01T00:00:00Z']) {
      assert.equal((await runCommand(SimAdvance, [span, org])).code, 1)
    }
    const reset = await runCommand(SimReset, [org])
    assert.deepEqual(reset.document, { seed: 'again' })
    const { ci, seed, now } = await state()
    assert.deepEqual([ci.runs, seed], [[], 'again'])
    assert.isBelow(Math.abs(Date.parse(now) - Date.now()), 3_600_000)
    const other = await makeWorld()
    const none = await runCommand(SimState, [`--org=${other.organizationId}`])
    assert.equal(none.code, 1)
    assert.match(none.stderr, /sim:start/)
  })

  test('builds of a reset world are not confused with known ones', async ({ assert }) => {
    const { world, path, org, triggerBuild, advance, step } = await rehearsal('known')
    for (const number of ['1', '2', '3']) {
      assert.equal((await runCommand(SimScenario, ['happy-train', org])).code, 0)
      assert.equal((await triggerBuild()).status, 200)
      await work()
      await advance('1h')
      await work()
      const { status, stepRunId } = await step()
      assert.equal(status, 'complete')
      const { body } = await world.admin.get(`${path}/stepRun/${stepRunId}`)
      assert.equal(body.data.activeBuild.buildIdentifier, number)
    }
  })

  test('plays a scenario of the box or of a file, and lists the errors of one', async ({
    assert,
  }) => {
    const { org, triggerBuild, advance, step, state } = await rehearsal('scenario')
    const played = await runCommand(SimScenario, ['failed-build', org])
    assert.deepEqual(played.document, { seed: 'failed-build', scenario: 'A failed build' })
    await triggerBuild()
    await work()
    await advance('1h')
    assert.equal((await step()).status, 'blocked')
    assert.equal((await state()).scenario, 'A failed build')
    const folder = await mkdtemp(join(tmpdir(), 'scenario-'))
    const file = join(folder, 'own.yaml')
    await writeFile(file, 'name: Our own\nci:\n  failing: 100\n')
    const own = await runCommand(SimScenario, [file, org, '--seed=ours'])
    assert.deepEqual(own.document, { seed: 'ours', scenario: 'Our own' })
    await writeFile(file, 'name: Our own\nci:\n  failing: often\n')
    const wrong = await runCommand(SimScenario, [file, org])
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /line 3/)
    assert.equal((await state()).scenario, 'Our own', 'Nothing has changed')
    const none = await runCommand(SimScenario, [join(folder, 'none.yaml'), org])
    assert.equal(none.code, 1)
    assert.match(none.stderr, /happy-train/)
    await rm(folder, { recursive: true })
  })
})

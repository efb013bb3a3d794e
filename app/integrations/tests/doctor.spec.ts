import { writeFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { ProviderList } from '#integrations/commands/provider_list'
import { IntegrationsDoctor } from '#integrations/commands/integrations_doctor'
import { conformanceOf } from '#integrations/conformance_summary'
import { samplePlugin, sampleManifest } from '#plugin-kit/tests/samples'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'
import { acmePlugin, HEADER } from './support/acme.js'
import { connect } from './support/connect.js'
import { json, ProviderServer } from '#provider-port/tests/support/provider_server'

const orgOf = ({ organizationId }: World) => `--org=${organizationId}`
const doctor = (world: World, ...options: string[]) =>
  runCommand(IntegrationsDoctor, [orgOf(world), ...options])

test.group('integrations:doctor', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('an organization whose connections work is healthy', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await connect(world, 'memory')
    const { code, document } = await doctor(world)
    assert.equal(code, 0)
    assert.isTrue(document.healthy)
    assert.deepEqual(document.connections, [
      {
        id,
        plugin: 'memory',
        status: 'connected',
        problems: [],
        hosts: [],
        budget: { left: 100, of: 100, perSeconds: 1 },
        failures: [],
      },
    ])
    assert.containsSubset(document.plugins, [
      { id: 'memory', version: '1.0.0', conformance: { state: 'unknown' } },
    ])
  })

  test('the fault of a connection is reported, and the command fails: {token}')
    .with([
      { token: 'bad-token', problem: 'The token is not known' },
      { token: 'read-token', problem: 'It lacks write.' },
      { token: 'down-token', problem: 'The provider is away' },
    ])
    .run(async ({ assert }, { token, problem }) => {
      const world = await makeWorld()
      const { id } = await connect(world, 'memory', { credentials: { token } })
      await connect(world, 'memory')
      const { code, document } = await doctor(world)
      assert.equal(code, 1)
      assert.isFalse(document.healthy)
      const ill = document.connections.find((each: { id: string }) => each.id === id)
      const well = document.connections.find((each: { id: string }) => each.id !== id)
      assert.include(ill.problems.join(), problem)
      assert.deepEqual(well.problems, [])
    })

  test('--no-check reports what is known, without calls', async ({ assert }) => {
    const world = await makeWorld()
    await connect(world, 'memory', { credentials: { token: 'bad-token' } })
    const { document } = await doctor(world, '--no-check')
    assert.notInclude(JSON.stringify(document), 'The token is not known')
  })

  test('shows the latest failures and the rest of the budget', async ({ assert, cleanup }) => {
    const server = await new ProviderServer().start()
    cleanup(() => server.stop())
    await loadTestPlugins({ acme: async () => ({ default: acmePlugin(HEADER) }) })
    const world = await makeWorld()
    const settings = { host: server.origin }
    await connect(world, 'acme', { settings, credentials: { token: 'canary-token-4711' } })
    server.answers(json({ message: 'No' }, 403))
    const { code, document, stdout } = await doctor(world)
    assert.equal(code, 1)
    const [{ failures, hosts, problems, budget }] = document.connections
    assert.lengthOf(failures, 1)
    assert.containsSubset(failures, [{ status: 403, code: 'forbidden' }])
    assert.containsSubset(hosts, [{ breaker: 'closed' }])
    assert.include(problems.join(), 'forbidden')
    assert.isAtMost(budget.left, budget.of)
    assert.notInclude(stdout, 'canary-token')
  })

  test('credentials that end within 30 days are reported, with the day and who can renew them', async ({
    assert,
    cleanup,
  }) => {
    const server = await new ProviderServer().start()
    cleanup(() => server.stop())
    await loadTestPlugins({ acme: async () => ({ default: acmePlugin(HEADER) }) })
    const world = await makeWorld()
    const credentials = { token: 'good-token-4711' }
    const settings = { host: server.origin }
    const { id } = await connect(world, 'acme', { settings, credentials, alias: 'Talk' })
    const problemsWith = async (days: number | null) => {
      const endsAt = days === null ? {} : { endsAt: later(clock.now(), days * DAY) }
      server.answers(json({ account: 'ada', ...endsAt }))
      const [{ problems }] = (await doctor(world)).document.connections
      return problems as string[]
    }
    assert.deepEqual(await problemsWith(null), [])
    assert.deepEqual(await problemsWith(31), [])
    const [problem, ...others] = await problemsWith(29)
    assert.isEmpty(others)
    const day = later(clock.now(), 29 * DAY).slice(0, 10)
    assert.include(problem, `The credentials of Talk end on ${day}; someone who may change`)
    assert.include((await problemsWith(-1)).join(), 'The credentials of Talk ended on')
    const listed = await runCommand(ProviderList, [orgOf(world)])
    assert.deepEqual(
      listed.document.map((each: { id: string; endsAt: string }) => [
        each.id,
        each.endsAt.slice(0, 10),
      ]),
      [[id, earlier(clock.now(), DAY).slice(0, 10)]]
    )
    // New credentials that state no expiry have none.
    assert.deepEqual(await problemsWith(null), [])
  })

  test('a plugin that does not run makes it fail', async ({ assert }) => {
    const world = await makeWorld()
    await connect(world, 'memory')
    await loadTestPlugins({ memory: () => Promise.reject(new Error('gone')) })
    const { code, document } = await doctor(world)
    assert.equal(code, 1)
    assert.include(document.connections[0].problems.join(), 'The plugin memory does not run.')
    assert.isNull(document.connections[0].budget)
    assert.lengthOf(document.disabled, 1)
  })
})

test.group('Conformance reports of plugins', () => {
  const summaryOf = async (report: unknown) => {
    const file = join(await mkdtemp(join(tmpdir(), 'tarmac-')), 'conformance.json')
    await writeFile(file, typeof report === 'string' ? report : JSON.stringify(report))
    return conformanceOf({ ...samplePlugin(), conformance: pathToFileURL(file) })
  }
  const { id: plugin, version } = sampleManifest()

  test('say what passed, what failed and what is unverified', async ({ assert }) => {
    const report = { plugin, version, passed: false, failed: [{ rule: 'M2', problem: 'x' }] }
    assert.deepEqual(await summaryOf({ ...report, unverified: ['a'], untested: ['onCall'] }), {
      state: 'failed',
      failed: ['M2'],
      unverified: 1,
      untested: ['onCall'],
    })
    assert.containsSubset(await summaryOf({ plugin, version, passed: true }), { state: 'passed' })
  })

  test('count as outdated for another version, and as unknown for another plugin or if unreadable', async ({
    assert,
  }) => {
    assert.deepEqual(await summaryOf({ plugin, version: '0.0.1' }), { state: 'outdated' })
    assert.deepEqual(await summaryOf({ plugin: 'other', version }), { state: 'unknown' })
    for (const broken of ['no JSON', 'null', '[]']) {
      assert.deepEqual(await summaryOf(broken), { state: 'unknown' })
    }
    assert.deepEqual(await conformanceOf(samplePlugin()), { state: 'unknown' })
    const gone = { ...samplePlugin(), conformance: new URL('file:///nowhere/conformance.json') }
    assert.deepEqual(await conformanceOf(gone), { state: 'unknown' })
  })
})

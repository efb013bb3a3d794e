import { test } from '@japa/runner'
import { ProviderFind } from '#integrations/commands/provider_find'
import { acmePlugin, HEADER } from '#integrations/tests/support/acme'
import { connect } from '#integrations/tests/support/connect'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld } from '#tests/support/world'
import { SimStart } from '../commands/sim_start.js'

test.group('provider:find', () => {
  async function startSimulation() {
    const world = await makeWorld()
    const org = `--org=${world.organizationId}`
    await runCommand(SimStart, [org, '--alias=Sim'])
    const find = (...words: string[]) => runCommand(ProviderFind, [...words, org])
    return { world, org, find }
  }

  test('finds channels, workflows and the like by a part of their name', async ({ assert }) => {
    const { find } = await startSimulation()
    const { code, document, stderr } = await find('Sim', 'channels')
    assert.equal(code, 0, stderr)
    assert.isAbove(document.found.length, 0)
    assert.isFalse(document.hasMore)
    const [{ id, label }] = document.found
    const narrowed = await find('Sim', 'channels', label)
    assert.deepInclude(narrowed.document.found, { id, label })
    assert.deepEqual((await find('Sim', 'channels', 'no such channel')).document.found, [])
    for (const what of ['workflows', 'schedules', 'events']) {
      const result = await find('Sim', what)
      assert.equal(result.code, 0, `${what}: ${result.stderr}`)
      assert.isAbove(result.document.found.length, 0, what)
    }
    const statuses = await find('Sim', 'statuses', 'APP')
    assert.containsSubset(statuses.document.found, [{ label: 'done' }, { label: 'open' }])
    const groups = await find('Sim App Store', 'groups', '--data=bundleId=com.acme.shop')
    assert.isAbove(groups.document.found.length, 0, groups.stderr)
  })

  test('explains why nothing can be found', async ({ assert, cleanup }) => {
    const { find, world, org } = await startSimulation()
    const unknown = await find('Sim', 'channel')
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /Did you mean channels\?/)
    assert.match((await find('Nobody', 'channels')).stderr, /There is no connection "Nobody"/)
    assert.match((await find('Sim App Store', 'channels')).stderr, /has no chat/)
    await loadTestPlugins({ acme: async () => ({ default: acmePlugin(HEADER) }) })
    cleanup(async () => void (await loadTestPlugins()))
    const settings = { host: 'http://127.0.0.1:9' }
    await connect(world, 'acme', { alias: 'Away', settings, credentials: { token: 'bad-token' } })
    const failed = await runCommand(ProviderFind, ['Away', 'channels', org])
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /acme:\d+: GET 127\.0\.0\.1:9/)
    assert.notInclude(failed.stderr, 'bad-token')
  })
})

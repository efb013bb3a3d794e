import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { runCommand } from '#tests/support/console'
import { yaml } from '#tests/support/requests'
import { makeWorld } from '#tests/support/world'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { SimStart } from '../commands/sim_start.js'
import { SimState } from '../commands/sim_state.js'

const HOUR = 3_600_000

/** An organization whose simulators are connected, and where its world is asked about. */
async function simulating() {
  const world = await makeWorld()
  const org = `--org=${world.organizationId}`
  const { document } = await runCommand(SimStart, [org, '--seed=first'])
  const connections: { id: string }[] = document.connections
  return { world, org, connections, path: `/org/${world.organizationId}/simulatedWorld` }
}

test.group('The simulated world over HTTP', () => {
  test('is played, let go on and begun anew as at the console', async ({ assert }) => {
    const { world, org, path } = await simulating()
    const { admin } = world
    const begun = (await admin.get(path)).body
    assert.containsSubset(begun, { seed: 'first', scenario: null, ci: { runs: [] }, plays: [] })
    const played = await admin.put(`${path}/scenario`, undefined, yaml('rejected'))
    assert.equal(played.status, 200, played.text)
    assert.containsSubset(played.body, { seed: 'rejected', scenario: 'A rejection' })
    const own = yaml('name: Our own\nseed: ours\nci:\n  failing: 100\n')
    const { body: before } = await admin.put(`${path}/scenario`, undefined, own)
    assert.containsSubset(before, { seed: 'ours', scenario: 'Our own' })
    const { body: after } = await admin.post(`${path}/advance`, { span: '1d12h' })
    const passed = Date.parse(after.now) - Date.parse(before.now)
    assert.closeTo(passed / HOUR, 36, 0.1)
    assert.equal((await runCommand(SimState, [org])).document.scenario, 'Our own')
    const until = new Date(Date.parse(after.now) + 10 * HOUR).toISOString()
    const { body: later } = await admin.post(`${path}/advance`, { span: until })
    assert.closeTo(Date.parse(later.now), Date.parse(until), 60_000)
    const { body: reset } = await admin.post(`${path}/reset`)
    assert.containsSubset(reset, { seed: 'ours', scenario: null })
    assert.isBelow(Date.parse(reset.now), Date.parse(before.now) + HOUR)
    assert.equal((await admin.post(`${path}/reset`, { seed: 'other' })).body.seed, 'other')
  })

  test('what is observed is looked at again once time has passed', async ({ assert }) => {
    const { world, path } = await simulating()
    const looks = db.from('agenda_entries').where('organization_id', world.organizationId)
    await world.admin.post(`${path}/advance`, { span: '5m' })
    const due = await looks.clone().where('due_at', '>', new Date().toISOString())
    assert.isEmpty(due.filter(({ nature }) => nature === 'observation'))
  })

  test('404 where no simulators are connected, or are no more', async ({ assert }) => {
    const { world, path, connections } = await simulating()
    const stranger = await makeWorld()
    const all = async ({ admin, organizationId }: typeof world) => {
      const at = `/org/${organizationId}/simulatedWorld`
      return [
        await admin.get(at),
        await admin.put(`${at}/scenario`, undefined, yaml('rejected')),
        await admin.post(`${at}/advance`, { span: '1h' }),
        await admin.post(`${at}/reset`),
      ].map(({ status, body }) => [status, body.code])
    }
    const none = Array.from({ length: 4 }, () => [404, 'not_found'])
    assert.deepEqual(await all(stranger), none)
    assert.equal((await stranger.admin.get(path)).status, 404, 'that of others')
    for (const { id } of connections) {
      await world.write((scope) => new DisconnectProvider(scope).handle(id, true))
    }
    assert.deepEqual(await all(world), none)
  })

  test('403 for a key that is none of an administrator', async ({ assert }) => {
    const { world, path } = await simulating()
    const key = await world.keyed({ groups: ['Engineering Managers'] })
    const { status, body } = await key.get(path)
    assert.deepEqual([status, body.code], [403, 'admin_required'])
  })

  test('422 for a scenario or a span that is none, and nothing changes', async ({ assert }) => {
    const { world, path } = await simulating()
    const { admin } = world
    const wrong = yaml('name: Ours\nci:\n  failing: often\n')
    const { status, body } = await admin.put(`${path}/scenario`, undefined, wrong)
    assert.deepEqual([status, body.code], [422, 'invalid_configuration'])
    assert.containsSubset(body.errors, [{ path: 'ci.failing', line: 3, column: 12 }])
    assert.equal((await admin.put(`${path}/scenario`, undefined, yaml('nowhere'))).status, 422)
    const { now } = (await admin.get(path)).body
    for (const span of ['soon', '5', '400d', '2020-01-01T00:00:00Z', '9999-01-01T00:00:00Z']) {
      const answer = await admin.post(`${path}/advance`, { span })
      assert.deepEqual([answer.status, answer.body.errors[0].pointer], [422, '/span'], span)
    }
    const after = (await admin.get(path)).body
    assert.equal(after.scenario, null)
    assert.closeTo(Date.parse(after.now), Date.parse(now), HOUR / 2)
  })

  test('the world of another organization does not notice', async ({ assert }) => {
    const [one, other] = [await simulating(), await simulating()]
    await one.world.admin.put(`${one.path}/scenario`, undefined, yaml('rejected'))
    await one.world.admin.post(`${one.path}/advance`, { span: '30d' })
    const { body } = await other.world.admin.get(other.path)
    assert.containsSubset(body, { seed: 'first', scenario: null })
    assert.isBelow(Date.parse(body.now) - Date.now(), HOUR)
  })
})

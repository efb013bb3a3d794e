import { setTimeout as pause } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { yaml } from '#tests/support/requests'
import { makeWorld } from '#tests/support/world'
import { codeKind } from '#features/work_kinds'
import { reminderKinds } from '#planning/work_kinds'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { HOUR } from '#foundation/core/durations'
import { SimAdvance } from '../commands/sim_advance.js'
import { SimConsole } from '../commands/sim_console.js'
import { SimStart } from '../commands/sim_start.js'
import { SimState } from '../commands/sim_state.js'
import { linesOfWaiting } from '../queries/report_own_world.js'

const kindsOf = ({ waiting }: { waiting: { kind: string }[] }) => waiting.map(({ kind }) => kind)

/** Makes an organization with connected simulators, and the path of its world. */
async function simulating() {
  const world = await makeWorld()
  const org = `--org=${world.organizationId}`
  const { document } = await runCommand(SimStart, [org, '--seed=first'])
  const connections: { id: string }[] = document.connections
  return { world, org, connections, path: `/org/${world.organizationId}/simulatedWorld` }
}

test.group('The simulated world over HTTP', () => {
  test('can play a scenario, advance and be reset, as at the console', async ({ assert }) => {
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

  test('a deed in the console of a store: 200, 409 for another store’s deed, 422', async ({
    assert,
  }) => {
    const { world, org, path } = await simulating()
    const { admin } = world
    const publishes = { store: 'googlePlay', deed: 'publishes' }
    const done = await admin.post(`${path}/console`, publishes)
    assert.equal(done.status, 200, 'There is no app yet')
    const foreign = await admin.post(`${path}/console`, { store: 'appStore', deed: 'publishes' })
    assert.deepEqual([foreign.status, foreign.body.code], [409, 'conflict'])
    assert.match(foreign.body.detail, /cancelsReview/)
    const unknown = await admin.post(`${path}/console`, { store: 'googlePlay', deed: 'burns' })
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/deed'])
    const opened = { store: 'googlePlay', deed: 'opensEdit' }
    const { document } = await runCommand(SimConsole, [opened.store, opened.deed, org])
    assert.deepEqual(document, opened)
    const wrong = await runCommand(SimConsole, ['googlePlay', 'burns', org])
    assert.notEqual(wrong.code, 0)
    const marketing = await world.keyed({ groups: ['Marketing'] })
    assert.equal((await marketing.post(`${path}/console`, publishes)).status, 403)
  })

  test('observations are repeated once time has passed', async ({ assert }) => {
    const { world, path } = await simulating()
    const at = new Date(Date.now() + HOUR).toISOString()
    const planned = async (subject: string) => {
      const draft = { subject, at, payload: { appId: 'none' } }
      const id = await world.write((scope) => scope.jobs.plan(codeKind, draft))
      return () => db.from('jobs').where({ id })
    }
    const [free, claimed] = [await planned('rel_free'), await planned('rel_claimed')]
    await claimed().update({ claim_id: 'somebody' })
    await world.admin.post(`${path}/advance`, { span: '5m' })
    const now = new Date(Date.now()).toISOString()
    const [left] = await free()
    assert.isTrue(left.due_at <= now && left.visible_at <= now && !left.replanned)
    // A poll under way keeps the lease, and polls once more.
    const [held] = await claimed()
    assert.isTrue(held.due_at <= now && Boolean(held.replanned))
    assert.deepEqual([held.visible_at, held.claim_id], [at, 'somebody'])
  })

  test('lists the work that waits for the service’s own time', async ({ assert }) => {
    const { world, org, path } = await simulating()
    const { admin } = world
    const appId = await makeApp(world)
    await admin.post(`/app/${appId}/release`, { version: '1.0.0' })
    const targetKickoffAt = new Date(Date.now() + 5 * 24 * HOUR).toISOString()
    await admin.put(`/app/${appId}/release/${appId}:1.0.0`, { targetKickoffAt })
    assert.deepEqual((await admin.get(path)).body.waiting, [])
    const { body } = await admin.post(`${path}/advance`, { span: '3d' })
    assert.notInclude(kindsOf(body), 'planning.kickoffReminder')
    const advanced = await runCommand(SimAdvance, ['2d', org])
    const found = advanced.document.waiting.find(
      ({ kind }: { kind: string }) => kind === 'planning.kickoffReminder'
    )
    const reminder = new Date(Date.parse(targetKickoffAt) - 24 * HOUR).toISOString()
    assert.deepEqual(found, { kind: 'planning.kickoffReminder', count: 1, at: reminder })
    assert.include(kindsOf((await admin.get(path)).body), 'planning.kickoffReminder')
    assert.match(linesOfWaiting(advanced.document.waiting).join('\n'), /Reminder: 1, the first at/)
    const other = await simulating()
    assert.deepEqual((await other.world.admin.get(other.path)).body.waiting, [])
  })

  test('--wait ends once everything was polled, and fails if nothing polls', async ({ assert }) => {
    const { world, org } = await simulating()
    const payload = { appId: 'none' }
    await world.write((scope) => scope.jobs.plan(codeKind, { subject: 'rel_none', payload }))
    const alone = await runCommand(SimAdvance, ['1h', org, '--wait=1s'])
    assert.equal(alone.code, 1)
    assert.match(alone.stderr, /not done within 1s: is it running\?/)
    const worker = await app.container.make('jobs.worker')
    const [done] = await Promise.all([
      runCommand(SimAdvance, ['1h', org, '--wait=60s']),
      worker.turn(),
    ])
    assert.equal(done.code, 0, done.stderr)
    assert.equal((await runCommand(SimAdvance, ['1h', org, '--wait=soon'])).code, 1)
  })

  test('--wait lists the waiting work as of its end', async ({ assert }) => {
    const { world, org, path } = await simulating()
    const at = new Date(Date.now() + HOUR).toISOString()
    const payload = { appId: 'none' }
    const [timer, look] = await world.write(async ({ jobs }) => [
      await jobs.plan(reminderKinds.kickoff, { subject: 'rel_none', at, payload }),
      await jobs.plan(codeKind, { subject: 'rel_none', at, payload }),
    ])
    const { now } = (await world.admin.get(path)).body
    const advancing = runCommand(SimAdvance, ['3h', org, '--wait=60s'])
    while (Date.parse((await world.admin.get(path)).body.now) - Date.parse(now) < 2 * HOUR) {
      await pause(50)
    }
    assert.deepEqual(kindsOf((await world.admin.get(path)).body), [reminderKinds.kickoff.name])
    await world.write((scope) => scope.jobs.cancel(reminderKinds.kickoff, 'rel_none'))
    await db.from('jobs').whereIn('id', [timer, look]).delete()
    const { code, stderr, document } = await advancing
    assert.equal(code, 0, stderr)
    assert.deepEqual(document.waiting, [])
  })

  test('404 if no simulators are connected, or all are disconnected', async ({ assert }) => {
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

  test('403 for a key of anybody but an administrator', async ({ assert }) => {
    const { world, path } = await simulating()
    const key = await world.keyed({ groups: ['Engineering Managers'] })
    const { status, body } = await key.get(path)
    assert.deepEqual([status, body.code], [403, 'admin_required'])
  })

  test('422 for an invalid scenario or span, and nothing changes', async ({ assert }) => {
    const { world, path } = await simulating()
    const { admin } = world
    const wrong = yaml('name: Ours\nci:\n  failing: often\n')
    const { status, body } = await admin.put(`${path}/scenario`, undefined, wrong)
    assert.deepEqual([status, body.code], [422, 'invalid_configuration'])
    assert.containsSubset(body.errors, [{ path: 'ci.failing', line: 3, column: 12 }])
    assert.match(body.detail, /^The scenario is invalid/)
    const nowhere = await admin.put(`${path}/scenario`, undefined, yaml('nowhere'))
    assert.deepEqual([nowhere.status, nowhere.body.code], [422, 'invalid_configuration'])
    assert.match(nowhere.body.detail, /"nowhere" is not a built-in scenario: console, crash-spike/)
    const { now } = (await admin.get(path)).body
    for (const span of ['soon', '5', '400d', '2020-01-01T00:00:00Z', '9999-01-01T00:00:00Z']) {
      const response = await admin.post(`${path}/advance`, { span })
      const [{ pointer, message }] = response.body.errors
      assert.deepEqual([response.status, pointer], [422, '/span'], span)
      assert.match(message, /2h30m|a year/)
    }
    const after = (await admin.get(path)).body
    assert.equal(after.scenario, null)
    assert.closeTo(Date.parse(after.now), Date.parse(now), HOUR / 2)
  })

  test('the world of another organization does not change', async ({ assert }) => {
    const [one, other] = [await simulating(), await simulating()]
    await one.world.admin.put(`${one.path}/scenario`, undefined, yaml('rejected'))
    await one.world.admin.post(`${one.path}/advance`, { span: '30d' })
    const { body } = await other.world.admin.get(other.path)
    assert.containsSubset(body, { seed: 'first', scenario: null })
    assert.isBelow(Date.parse(body.now) - Date.now(), HOUR)
  })
})

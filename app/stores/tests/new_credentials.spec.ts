import { setImmediate as turn } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { RotateCredentials } from '#integrations/actions/rotate_credentials'
import { connect } from '#integrations/tests/support/connect'
import { ProviderError } from '#plugin-kit/provider_error'
import { storeWorld, tidy } from './support.js'

const refused = () =>
  new ProviderError('unauthorized', 'The key was revoked', { outcome: 'notApplied' })

/** Returns release 1.4.0 at 10 %, whose store refuses the credentials of a decided change. */
async function worldWithRefusal(action: object) {
  const given = await storeWorld('google', ['kickoff', 'submission', 'takeoff', 'rollout'])
  const { admin, path, store, work } = given
  store.upload('4711')
  store.become('rolledOutPartially', { buildNumbers: ['4711'] })
  store.rollout({ state: 'active', fraction: 0.1 })
  await work()
  store.failures.push(refused(), refused(), refused())
  await admin.put(`${path}/rollout`, action)
  await work()
  await work()
  store.failures.length = 0
  return given
}

/** Carries out the jobs that are due now, and no others. */
async function workNow() {
  await turn()
  const worker = await app.container.make('jobs.worker')
  await worker.turn()
}

const changes = ({ store }: Awaited<ReturnType<typeof worldWithRefusal>>) =>
  store.changes.filter((each) => each.startsWith('setRollout'))

test.group('New credentials of the connection of a store', (group) => {
  group.each.teardown(tidy)

  for (const [action, requested] of [
    [{ action: 'halt' }, 'setRollout halt'],
    [{ action: 'set', percentage: 50 }, 'setRollout 0.5'],
  ] as const) {
    test(`repeat the call for "${action.action}" at once`, async ({ assert }) => {
      const given = await worldWithRefusal(action)
      const { world, provider } = given
      await workNow()
      assert.isEmpty(changes(given))
      const secrets = await app.container.make('integrations.secrets')
      await world.write((scope) => new RotateCredentials(scope, secrets).handle(provider, {}, null))
      await workNow()
      assert.deepEqual(changes(given), [requested])
      await given.work()
      await given.work()
      const [plan] = (await given.release()).storePlans
      assert.deepEqual([plan.rollout.status, plan.question], ['done', null])
    })
  }

  test('also come with another connection, whose credentials have the same version', async ({
    assert,
  }) => {
    const given = await worldWithRefusal({ action: 'halt' })
    const { world, admin, appId } = given
    const { id: provider } = await connect(world, 'memory-store', { alias: 'Other' })
    const raw = 'integrations:\n  store: { type: google, provider: Other }\n'
    const headers = { 'content-type': 'application/yaml' }
    const response = await admin.patch(`/app/${appId}/app/config`, undefined, { raw, headers })
    assert.equal(response.status, 200, JSON.stringify(response.body))
    const { connection_id: used } = await db
      .from('integrations')
      .where({ app_id: appId, kind: 'appStore' })
      .firstOrFail()
    assert.equal(used, provider)
    await workNow()
    assert.deepEqual(changes(given), ['setRollout halt'])
  })

  test('call no store without a refused call', async ({ assert }) => {
    const given = await storeWorld('google', ['kickoff', 'submission', 'takeoff', 'rollout'])
    const { world, provider, store } = given
    const secrets = await app.container.make('integrations.secrets')
    await world.write((scope) => new RotateCredentials(scope, secrets).handle(provider, {}, null))
    await workNow()
    assert.isEmpty(store.changes)
    assert.isEmpty(await db.from('jobs').whereIn('kind', ['store.reconcile', 'store.stop']))
  })
})

import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { rollingOut } from '#rollouts/tests/support'
import { refusal } from '#stores/tests/memory_store'
import { storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { sendYaml } from './yaml.js'

/* A store cannot be removed or replaced while a release is still live there. */

const leave = ({ admin, appId }: StoreWorld, query = '') =>
  sendYaml(admin, 'PATCH', `/app/${appId}/app/config${query}`, 'integrations: null\n')

const titles = async ({ admin, path }: StoreWorld, type: string): Promise<string[]> =>
  (await admin.get(`${path}/timelineEvents?type=${type}`)).body.data.map(
    ({ title }: { title: string }) => title
  )

test.group('Configuration | of an app with a release in stores', (group) => {
  group.each.teardown(tidy)

  for (const how of ['', 'skip', 'complete']) {
    test(`409 the store leaves while a release is live there${how && `, after ${how}`}; 200 once it is stopped`, async ({
      assert,
    }) => {
      const given = await rollingOut()
      const { admin, path, work } = given
      if (how) await admin.put(`${path}/${how}`, { force: true })
      for (const query of ['', '?dryRun=true']) {
        const { status, body } = await leave(given, query)
        assert.equal(status, 409)
        assert.containSubset(body, {
          code: 'release_live',
          inStores: [{ version: '1.4.0', state: 'active', percentage: 10 }],
        })
      }
      await admin.put(`${path}/redButton`)
      assert.equal((await leave(given)).status, 409)
      for (let turn = 0; turn < 2; turn++) await work()
      assert.equal((await leave(given)).status, 200)
    })

    if (how) {
      test(`409 the app is removed while a release is live after ${how}; 204 when forced`, async ({
        assert,
      }) => {
        const given = await rollingOut()
        const { admin, appId, path } = given
        await admin.put(`${path}/${how}`, { force: true })
        const { status, body } = await admin.delete(`/app/${appId}/app/config`)
        assert.deepEqual([status, body.code], [409, 'release_live'])
        assert.deepEqual(body.allowedActions, ['force'])
        assert.lengthOf(body.inStores, 1)
        const forced = await admin.delete(`/app/${appId}/app/config?force=true`)
        assert.equal(forced.status, 204)
      })
    }
  }

  for (const [what, store] of [
    ['of another package', '{ type: google, provider: Store, data: { bundleId: com.other } }'],
    ['of another kind', '{ type: google-beta, provider: Store, data: {} }'],
  ] as const) {
    test(`409 the integration is ${what} while a release is live there; 200 once it is stopped`, async ({
      assert,
    }) => {
      const given = await rollingOut()
      const { admin, appId, path, provider, work, store: memory } = given
      const text = `integrations:\n  store: ${store.replace('Store,', `${provider},`)}\n`
      const change = () => sendYaml(admin, 'PATCH', `/app/${appId}/app/config`, text)
      const { status, body } = await change()
      assert.deepEqual([status, body.code], [409, 'release_live'], JSON.stringify(body))
      await admin.put(`${path}/redButton`)
      for (let turn = 0; turn < 2; turn++) await work()
      assert.deepEqual(memory.changes, ['setRollout halt'])
      const changed = await change()
      assert.equal(changed.status, 200, changed.text)
    })
  }

  test('200 the store leaves if no release is live there', async ({ assert }) => {
    const given = await storeWorld('google')
    assert.equal((await leave(given)).status, 200)
  })

  test('a stop whose store is gone notifies people once', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, path, store, work } = given
    for (let each = 0; each < 9; each++) store.failures.push(refusal('unavailable', 'Down'))
    await admin.put(`${path}/redButton`)
    await db.from('integrations').where({ app_id: appId, kind: 'appStore' }).delete()
    for (let turn = 0; turn < 5; turn++) await work()
    const failed = await titles(given, 'store.failed')
    assert.lengthOf(failed, 1)
    assert.match(failed[0], /The app no longer has that store/)
  })
})

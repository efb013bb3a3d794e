import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { earlier } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { makeFeatures } from '#features/tests/support'
import { rollingOut } from '#rollouts/tests/support'
import { installIntegration } from '#tests/support/custom_integrations'
import { sharesOf } from '../queries/shares.js'

test.group('The share of users that have a change', () => {
  test('is as far as the rollout of the version has come', async ({ assert }) => {
    const { world, appId, store, work, reported } = await rollingOut('google')
    const shares = (...versions: string[]) =>
      world.write((scope) => sharesOf(scope, appId, new Set(versions)))
    assert.deepEqual(await shares('1.4.0'), {
      stores: [{ destinationId: null, storeType: 'google', offered: 10 }],
      adopted: null,
    })
    assert.equal((await shares()).stores[0].offered, 0)
    store.rollout({ state: 'active', fraction: 0.5 })
    await work()
    await reported()
    assert.equal((await shares('1.4.0')).stores[0].offered, 50)
    assert.equal((await shares('9.9.9')).stores[0].offered, 0)
  })

  test('counts for the version below what a newer one does not reach yet', async ({ assert }) => {
    const { world, appId, admin } = await rollingOut('google')
    await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
    // Released by hand only, from before stores were polled.
    await db
      .from('releases')
      .where({ app_id: appId, version: '1.3.0' })
      .update({ released_at: earlier(clock.now(), 86_400_000) })
    const offered = async (...versions: string[]) => {
      const { stores } = await world.write((scope) => sharesOf(scope, appId, new Set(versions)))
      return stores[0].offered
    }
    assert.equal(await offered('1.4.0'), 10)
    assert.equal(await offered('1.3.0'), 90)
    assert.equal(await offered('1.3.0', '1.4.0'), 100)
  })

  test('is measured too, by what the guard of the rollout counts', async ({ assert }) => {
    const { world, appId, admin } = await rollingOut('google')
    const policy = {
      ladder: [{ percentage: 100, hours: 24 }],
      guard: { metrics: [{ name: 'crashFreeSessions', total: 'sessions', bad: 'crashes' }] },
    }
    const events = `/app/${appId}/integration/${await installIntegration(world, appId, 'generic-analytics')}/events`
    const set = await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    assert.equal(set.status, 200, set.text)
    const send = (version: string, value: number, hours = 1) =>
      admin.post(events, {
        ...{ name: 'sessions', value, version, environment: 'production' },
        timestamp: earlier(clock.now(), hours * 3_600_000),
      })
    const adopted = async () =>
      (await world.write((scope) => sharesOf(scope, appId, new Set(['1.4.0'])))).adopted
    assert.isNull(await adopted())
    await send('1.4.0', 150)
    await send('1.3.0', 850)
    await send('1.3.0', 100_000, 30)
    assert.equal(await adopted(), 15)
  })

  test('is shown with the place of the change', async ({ assert, cleanup }) => {
    const { repository, release, kickOff, look, admin, path, app } = await makeFeatures(cleanup)
    repository.commit()
    repository.git('tag', 'v0.9.0', 'main')
    const hash = repository.commit({ message: 'One' })
    await release('1.0.0')
    await kickOff('1.0.0')
    await look()
    const share = async () =>
      (await admin.get(`/app/${app}/whereIs?commit=${hash}`)).body.apps[0].share
    const nowhere = [{ destinationId: null, storeType: null, offered: 0 }]
    assert.deepEqual(await share(), { stores: nowhere, adopted: null, since: null })
    const { body } = await admin.put(`${path('1.0.0')}/complete`)
    const everywhere = [{ destinationId: null, storeType: null, offered: 100 }]
    assert.deepEqual(await share(), {
      ...{ stores: everywhere, adopted: null },
      since: body.releasedAt,
    })
  })
})

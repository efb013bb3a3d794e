import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import { RotateCredentials } from '#integrations/actions/rotate_credentials'
import { ProviderError } from '#plugin-kit/provider_error'
import { refusal } from '#stores/tests/memory_store'
import { readyWorld, tidy, type StoreWorld } from '#stores/tests/support'
import type { StoreType } from '#stores/vocabulary'
import { asked } from './support.js'

/*
 * A stop of an unreleased version cancels the requests that would release it, whatever their state.
 * It also stops the rollout if the version is released anyway.
 */

async function turns({ work }: StoreWorld, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await work()
}

async function approved(type: StoreType): Promise<StoreWorld> {
  const given = await readyWorld(type)
  const { admin, path, store } = given
  await admin.put(`${path}/submit`, {})
  await turns(given, 2)
  store.become('pendingRelease', { release: { method: 'manual' } })
  store.rollout({ state: 'inactive', ...(type === 'google' && { fraction: 0.1 }) })
  await turns(given, 1)
  return given
}

const isStopped = (given: StoreWorld) => /pause|halt/.test(asked(given).join())

test.group('A stop of an unreleased version', (group) => {
  group.each.teardown(tidy)

  for (const type of ['apple', 'google'] as const) {
    test(`ends a takeoff for good after ${type} refused its credentials`, async ({ assert }) => {
      const given = await approved(type)
      const { admin, path, store, world, provider } = given
      const revoked = () =>
        new ProviderError('unauthorized', 'The key was revoked', { outcome: 'notApplied' })
      store.failures.push(revoked(), revoked())
      await admin.put(`${path}/takeoff`)
      await turns(given, 1)
      store.failures.length = 0
      const { status } = await admin.put(`${path}/redButton`, { reason: 'It crashes' })
      assert.equal(status, 200)
      const secrets = await app.container.make('integrations.secrets')
      await world.write((scope) => new RotateCredentials(scope, secrets).handle(provider, {}, null))
      await turns(given, 3)
      assert.notInclude(store.changes, 'release')
    })

    test(`is requested at ${type} once the version is published in the console`, async ({
      assert,
    }) => {
      const given = await approved(type)
      const { admin, path, store, release } = given
      store.become(type === 'apple' ? 'live' : 'rolledOutPartially')
      store.rollout({ state: 'active', ...(type === 'apple' ? { day: 1 } : { fraction: 0.1 }) })
      assert.equal((await admin.put(`${path}/redButton`, { reason: 'It crashes' })).status, 200)
      await turns(given, 6)
      assert.isTrue(isStopped(given))
      assert.equal((await release()).storePlans[0].rollout.status, 'done')
    })
  }

  test('ends a takeoff for good after a rule refused it', async ({ assert }) => {
    const given = await approved('apple')
    const { admin, path, store } = given
    store.failures.push(refusal('conflict', 'Agreements are missing'))
    await admin.put(`${path}/takeoff`)
    await turns(given, 2)
    await admin.put(`${path}/redButton`, {})
    store.become('preparing', { version: '1.5.0' })
    await turns(given, 4)
    assert.notInclude(store.changes, 'release')
  })

  test('holds for a submission with a lost answer that is released automatically', async ({
    assert,
  }) => {
    const given = await readyWorld('google')
    const { admin, path, store } = given
    store.breaks.add('after submit')
    await admin.put(`${path}/submit`, {})
    await turns(given, 1)
    store.find('1.4.0')!.release = { method: 'auto' }
    assert.equal((await admin.put(`${path}/redButton`, {})).status, 200)
    await turns(given, 2)
    store.become('rolledOutPartially')
    store.rollout({ state: 'active', fraction: 0.1 })
    await turns(given, 4)
    assert.isTrue(isStopped(given))
  })

  test('is overruled by a takeoff after it', async ({ assert }) => {
    const given = await approved('google')
    const { admin, path, store } = given
    await admin.put(`${path}/redButton`, {})
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    await turns(given, 1)
    store.publish()
    await turns(given, 3)
    assert.equal(store.find('1.4.0')!.status.state, 'live')
    assert.isFalse(isStopped(given))
  })
})

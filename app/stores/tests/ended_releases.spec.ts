import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { asked, rollingOut } from '#rollouts/tests/support'
import { refusal } from './memory_store.js'
import { readyWorld, tidy, type StoreWorld } from './support.js'

/*
 * Releases that were skipped or completed by hand during a call to a store, and versions that were
 * over in it.
 */

async function turns({ work }: StoreWorld, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await work()
}

async function adoptions({ admin, path }: StoreWorld): Promise<string[]> {
  const { body } = await admin.get(`${path}/timelineEvents?type=store.adopted`)
  return body.data.map(({ title }: { title: string }) => title)
}

test.group('A release that ended', (group) => {
  group.each.teardown(tidy)

  test('is not submitted after its submission was refused', async ({ assert }) => {
    const given = await readyWorld('apple')
    const { admin, path, store } = given
    store.become('inReview', { version: '1.3.9' })
    await turns(given, 1)
    store.failures.push(refusal('conflict', 'Another version is in review'))
    await admin.put(`${path}/submit`, {})
    await turns(given, 2)
    await admin.put(`${path}/skip`, { force: true })
    const before = store.changes.length
    store.become('live', { version: '1.3.9' })
    await turns(given, 5)
    assert.deepEqual(store.changes.slice(before), [])
  })

  for (const how of ['skip', 'complete']) {
    test(`by ${how} grows no further after its growth was refused`, async ({ assert }) => {
      const given = await rollingOut('google')
      const { admin, path, store } = given
      store.failures.push(refusal('preconditionFailed', 'Not now'))
      await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
      await turns(given, 2)
      await admin.put(`${path}/${how}`, { force: true })
      store.become('rolledOutPartially', { raw: 'inProgress again' })
      await turns(given, 5)
      assert.deepEqual(asked(given), [])
    })
  }

  for (const seam of ['before', 'after'] as const) {
    test(`is not taken for released by somebody else if the answer is lost ${seam} it`, async ({
      assert,
    }) => {
      const given = await readyWorld('apple')
      const { admin, path, store } = given
      await admin.put(`${path}/submit`, {})
      await turns(given, 2)
      store.become('pendingRelease', { release: { method: 'manual' } })
      store.rollout({ state: 'inactive' })
      await turns(given, 1)
      store.breaks.add(`${seam} release`)
      await admin.put(`${path}/takeoff`)
      await turns(given, 1)
      await admin.put(`${path}/skip`, { force: true })
      if (seam === 'before') {
        // The call reaches the store after the caller gave up.
        store.become('live')
        store.rollout({ state: 'active', day: 1 })
      }
      await turns(given, 5)
      assert.isEmpty(await adoptions(given))
    })
  }

  test('is not taken for grown by somebody else if the answer is lost', async ({ assert }) => {
    const given = await rollingOut('google')
    const { admin, path, store } = given
    store.breaks.add('after setRollout')
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
    for (let turn = 0; turn < 4 && store.changes.length === 0; turn++) await turns(given, 1)
    await admin.put(`${path}/complete`, { force: true })
    await turns(given, 5)
    assert.isEmpty(await adoptions(given))
  })
})

test.group('A version that was replaced', (group) => {
  group.each.teardown(tidy)

  test('is stopped again if Google Play serves it anew', async ({ assert }) => {
    const given = await rollingOut('google')
    const { admin, path, store, release } = given
    store.become('live', { version: '1.3.0', buildNumbers: ['4700'] })
    store.become('live', { buildNumbers: ['4711'] })
    store.rollout({ state: 'complete' })
    // Before the stop reaches the store, a later version replaces it.
    store.failures.push(refusal('preconditionFailed', 'A higher version has replaced it'))
    await admin.put(`${path}/redButton`, {})
    store.become('replaced')
    store.become('live', { version: '1.5.0', buildNumbers: ['4712'] })
    await turns(given, 4)
    assert.equal((await release()).storePlans[0].rollout.status, 'done')
    assert.deepEqual(asked(given), [])
    await turns(given, 1)
    const rows = await db.from('app_store_versions').where('app_id', given.appId)
    assert.isTrue(rows.every((row) => Boolean(row.is_over)))
    // Somebody halts the later version in the console; the store is polled because another release
    // is under way.
    await admin.post(`/app/${given.appId}/release`, { version: '1.6.0' })
    await admin.put(`/app/${given.appId}/release/${given.appId}:1.6.0/kickoff`)
    store.become('halted', { version: '1.5.0', buildNumbers: ['4712'] })
    store.become('live', { buildNumbers: ['4711'] })
    for (let turn = 0; turn < 6 && asked(given).length === 0; turn++) await turns(given, 1)
    assert.deepEqual(asked(given), ['setRollout halt'])
  })
})

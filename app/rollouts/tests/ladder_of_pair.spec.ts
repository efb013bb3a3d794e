import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { pairWorld } from '#stores/tests/pairs/support'
import { tidy } from '#stores/tests/support'

/**
 * Returns an approved pair. The hotfix for iOS was submitted without the ladder that `change` gives
 * it.
 */
async function approvedHotfix() {
  const given = await pairWorld()
  const { admin, apps, join, submit, approve } = given
  await join()
  await db.from('releases').where({ app_id: apps.apple }).update({ create_type: 'hotfix' })
  await db.from('store_plans').where({ app_id: apps.apple }).update({ settings: null })
  for (const type of ['apple', 'google'] as const) {
    await submit(type)
    await approve(type)
  }
  const change = async () => {
    const policy = { hotfix: 'ladder' }
    const { status } = await admin.put(`/app/${apps.apple}/rolloutPolicy`, { policy })
    if (status !== 200) throw new Error('It is not changed')
  }
  return { ...given, change }
}

test.group('A ladder of a pair that changes before its takeoff', (group) => {
  group.each.teardown(tidy)

  test('a changed ladder of iOS is 409 before Android is out; force applies to both', async ({
    assert,
  }) => {
    const { admin, change, takeOff, pathOf, release, asked, stores, work } = await approvedHotfix()
    await change()
    for (const type of ['google', 'apple'] as const) {
      const { status, body } = await takeOff(type)
      assert.deepEqual([status, body.code], [409, 'ladder_changed'])
    }
    await work(2)
    assert.isNull((await release('google')).pair.takenOff)
    assert.deepEqual(await asked(), { apple: false, google: false })
    assert.equal((await admin.put(`${pathOf('google')}/takeoff`, { force: true })).status, 200)
    await work(2)
    stores.google.publish()
    await work(3)
    assert.isTrue((await asked()).apple)
  })

  test('another takeoff forces the standing one, without other calls', async ({ assert }) => {
    const { admin, change, takeOff, pathOf, asked, stores, work, titles } = await approvedHotfix()
    assert.equal((await takeOff('google')).status, 200)
    await work(2)
    await change()
    assert.equal((await admin.put(`${pathOf('apple')}/takeoff`, { force: true })).status, 200)
    stores.google.publish()
    await work(3)
    assert.isTrue((await asked()).apple)
    assert.lengthOf(await titles('google', 'store.asked'), 2)
    assert.lengthOf(await titles('apple', 'pair.takenOff'), 1)
  })
})

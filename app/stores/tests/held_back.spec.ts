import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { refusal } from './memory_store.js'
import { readyWorld, tidy } from './support.js'

test.group('A pause of automations', (group) => {
  group.each.teardown(tidy)

  test('takes back a pending submission, with a new generation', async ({ assert }) => {
    const { admin, appId, path, store, work, world, release: shown } = await readyWorld()
    const generation = async () => {
      const { organizationId } = world
      const own = db.from('store_records').where('organization_id', organizationId)
      return Number((await own.firstOrFail()).generation)
    }
    for (const type of ['kickoffOnTargetDate', 'submitOnTargetDate']) {
      const { status } = await admin.put(`/app/${appId}/automations`, { type, enabled: true })
      assert.equal(status, 200)
    }
    const targetSubmitAt = new Date(Date.now() + 60_000).toISOString()
    assert.equal((await admin.put(path, { targetSubmitAt })).status, 200)
    store.failures.push(refusal('unavailable', 'The store is away'))
    await work()
    assert.containsSubset((await shown()).storePlans[0].wanted, {
      what: 'submitted',
      status: 'underWay',
      by: { name: 'submitOnTargetDate' },
    })
    const decided = await generation()
    await admin.put(`/app/${appId}/automations/pause`, { paused: true })
    await work()
    assert.isNull((await shown()).storePlans[0].wanted)
    assert.isEmpty(store.changes)
    assert.equal(await generation(), decided + 1)
  })
})

import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { runs } from '#tests/support/effort'
import { hasRowLocks, soon, untilWaiting, writeTo } from '#tests/support/locked_apps'
import { tidy } from '../support.js'
import { approvedPair, type PairWorld } from './support.js'

/** Returns the sides of a pair in the order in which their apps are locked. */
const sidesOf = ({ apps }: PairWorld) =>
  (['apple', 'google'] as const).toSorted((one, other) => (apps[one] < apps[other] ? -1 : 1))

test.group('Concurrent writes to the apps of a pair', (group) => {
  group.each.teardown(tidy)

  if (hasRowLocks) {
    test('a long write to one app does not block the other, and the takeoff goes on after it', async ({
      assert,
      cleanup,
    }) => {
      const given = await approvedPair()
      const { admin, apps, asked, pathOf, takeOff, work, world } = given
      const [first, second] = sidesOf(given)
      const jobs = () => db.from('jobs').where('organization_id', world.organizationId)
      assert.equal((await takeOff('apple'))!.status, 200)
      await jobs().whereNot('kind', 'pair.settle').delete()
      const end = await writeTo(apps[second], cleanup)
      const settling = work(2)
      await untilWaiting()
      const write = admin.put(pathOf(first), { description: 'Both' })
      assert.containsSubset(await soon(write), { status: 200 })
      assert.deepEqual(await asked(), { apple: false, google: false })
      await end()
      await settling
      await work(2)
      assert.deepEqual(await asked(), { apple: false, google: true })
      assert.isEmpty(await jobs().where('kind', 'pair.settle').whereNull('finished_at'))
    })
  }

  test('concurrent requests for both apps do not fail, and both releases go out once', async ({
    assert,
  }) => {
    for (let time = 0; time < runs(5); time++) {
      const given = await approvedPair()
      const { admin, apps, pathOf, stores, takeOff, work, world, asked } = given
      const failed = () =>
        db
          .from('jobs')
          .where('organization_id', world.organizationId)
          .whereNotNull('last_error')
          .select('kind', 'last_error')
      const results = await Promise.all([
        takeOff('apple'),
        takeOff('google'),
        work(),
        admin.put(`/app/${apps.google}/automations/pause`, { paused: true }),
        admin.put(`/app/${apps.apple}/automations/pause`, { paused: true }),
        admin.put(pathOf('apple'), { description: 'Both' }),
        work(),
        admin.put(pathOf('google'), { description: 'Both' }),
        takeOff('apple'),
      ])
      for (const response of results)
        if (response) assert.equal(response.status, 200, response.text)
      await work(2)
      assert.deepEqual(await asked(), { apple: false, google: true })
      stores.google.publish()
      await work(3)
      assert.equal(stores.apple.changes.filter((each) => each === 'release').length, 1)
      assert.deepEqual(await failed(), [])
    }
  }).timeout(300_000)
})

import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { runs } from '#tests/support/effort'
import { hasRowLocks, soon, untilWaiting, writeTo } from '#tests/support/locked_apps'
import { lookAtPair } from '../../pairs/look_at_pair.js'
import { pairsOfApp } from '../../pairs/find_pair.js'
import { tidy } from '../support.js'
import { approvedPair, rollingPair, type PairWorld } from './support.js'

/** The sides of a pair, in the order of the apps. */
const sidesOf = ({ apps }: PairWorld) =>
  (['apple', 'google'] as const).toSorted((one, other) => (apps[one] < apps[other] ? -1 : 1))

test.group('Two apps that are written to for one pair', (group) => {
  group.each.teardown(tidy)

  if (hasRowLocks) {
    test('a long write of one keeps no red button of the other waiting', async ({
      assert,
      cleanup,
    }) => {
      const given = await rollingPair()
      const { admin, apps, pathOf, work, world, titles } = given
      const [first, second] = sidesOf(given)
      const end = await writeTo(apps[second], cleanup)
      const jobs = () => db.from('jobs').where('organization_id', world.organizationId)
      await jobs().delete()
      await world.write(async (scope) => {
        const [row] = await pairsOfApp(scope, apps[first])
        await lookAtPair(scope, row)
      })
      const settling = work(2)
      await untilWaiting()
      assert.containsSubset(await soon(admin.put(`${pathOf(first)}/redButton`)), { status: 200 })
      await end()
      await settling
      await work(2)
      assert.lengthOf(await titles(first, 'redButton.pressed'), 1)
      assert.isEmpty(await jobs().where('kind', 'pair.settle').whereNull('finished_at'))
    })
  }

  test('whatever is asked of both at once, nothing fails, and both go out once', async ({
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
      const answers = await Promise.all([
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
      for (const answer of answers) if (answer) assert.equal(answer.status, 200, answer.text)
      await work(2)
      assert.deepEqual(await asked(), { apple: false, google: true })
      stores.google.publish()
      await work(3)
      assert.equal(stores.apple.changes.filter((each) => each === 'release').length, 1)
      assert.deepEqual(await failed(), [])
    }
  }).timeout(300_000)
})

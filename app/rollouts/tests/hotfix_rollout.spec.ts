import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { firstShare } from '#stores/extensions'
import { readyWorld, tidy } from '#stores/tests/support'
import { asked, began, rollingOut } from './support.js'

const LADDER = [
  { percentage: 10, hours: 24 },
  { percentage: 50, hours: 24 },
  { percentage: 100, hours: 0 },
]

test.group('The rollout of a hotfix', (group) => {
  group.each.teardown(tidy)

  for (const [type, hotfix, shares] of [
    ['google', undefined, [0.1, 1]],
    ['google', 'atOnce', [0.1, 1]],
    ['google', 'ladder', [0.1, 0.1]],
    // For other releases, the settings of the App Store decide whether they are phased.
    ['apple', 'atOnce', [null, 1]],
    ['apple', 'ladder', [null, 0.01]],
  ] as const) {
    test(`${type}, ${hotfix ?? 'by default'}: begins with a share of ${shares[1]}`, async ({
      assert,
    }) => {
      const { admin, appId, world, target } = await rollingOut(type)
      const policy = { ...(type === 'google' && { ladder: LADDER }), hotfix }
      const { status } = await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
      assert.equal(status, 200)
      const store = await target()
      const found = await world.write(async (scope) => [
        await firstShare(scope, store, { isHotfix: false }),
        await firstShare(scope, store, { isHotfix: true }),
      ])
      assert.deepEqual(found, [...shares])
    })
  }

  test('without a policy, hotfixes go to all, and the store settings decide for other releases', async ({
    assert,
  }) => {
    const { world, target } = await rollingOut()
    const store = await target()
    await world.write(async (scope) => {
      assert.equal(await firstShare(scope, store, { isHotfix: true }), 1)
      assert.isNull(await firstShare(scope, store, { isHotfix: false }))
    })
  })

  for (const [hotfix, moves] of [
    ['atOnce', []],
    ['ladder', ['setRollout 0.5']],
  ] as const) {
    test(`${hotfix}: a rollout at a share that was set by hand ${moves.length > 0 ? 'climbs' : 'stays there'}`, async ({
      assert,
    }) => {
      const given = await rollingOut()
      const { admin, appId, work } = given
      await db
        .from('releases')
        .where({ app_id: appId, version: '1.4.0' })
        .update({ create_type: 'hotfix', release_type: 'hotfix' })
      await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER, hotfix } })
      await began(appId, 30)
      for (let turn = 0; turn < 3; turn++) await work()
      assert.deepEqual(asked(given), [...moves])
    })
  }

  test('on Google Play, a hotfix is submitted for all users, whatever the ladder', async ({
    assert,
  }) => {
    const { admin, appId, path, store, work, release } = await readyWorld('google')
    await db.from('releases').where({ app_id: appId }).update({ create_type: 'hotfix' })
    await db.from('store_plans').where({ app_id: appId }).update({ settings: null })
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    await work()
    assert.equal(store.find('1.4.0')!.status.state, 'waitingForReview')
    assert.isUndefined(store.find('1.4.0')!.rollout)
    store.become('pendingRelease')
    await work()
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    store.publish()
    for (let turn = 0; turn < 3; turn++) await work()
    assert.equal((await release()).status, 'completed')
    assert.isEmpty(store.changes.filter((each) => each.startsWith('setRollout')))
  })
})

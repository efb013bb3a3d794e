import { test } from '@japa/runner'
import { approvedPair, pairWorld, type PairWorld } from '#stores/tests/pairs/support'
import { tidy } from '#stores/tests/support'
import { planned } from './planning.js'

const aboutApple = ({ apps, idOf }: PairWorld) => ({
  appId: apps.apple,
  releaseId: idOf('apple'),
})

test.group('A plan of a pair', (group) => {
  group.each.teardown(tidy)

  test('joins two releases once somebody confirms it, unless they were joined meanwhile', async ({
    assert,
  }) => {
    const given = await pairWorld()
    const { admin, idOf, release, join, pathOf } = given
    const body = { releaseId: idOf('google'), managedPublishing: true }
    const reported = { ...aboutApple(given), body }
    const first = await planned(admin, 'joinReleases', reported)
    assert.include(JSON.stringify(first.plan), 'goes out together')
    assert.isNull((await release('apple')).pair)
    assert.equal(await first.confirm(), 'done')
    assert.equal((await release('apple')).pair.releaseId, idOf('google'))
    await admin.delete(`${pathOf('apple')}/pair`)
    const second = await planned(admin, 'joinReleases', reported)
    await join()
    assert.notEqual(await second.confirm(), 'done')
  })

  test('parts them, unless somebody took both off meanwhile', async ({ assert }) => {
    const given = await approvedPair()
    const { admin, takeOff, release } = given
    const stale = await planned(admin, 'partReleases', aboutApple(given))
    await takeOff('google')
    assert.equal(await stale.confirm(), 'plan_stale')
    const again = await planned(admin, 'partReleases', aboutApple(given))
    assert.equal(await again.confirm(), 'done')
    assert.isNull((await release('apple')).pair)
  })

  test('takes both off, and says so', async ({ assert }) => {
    const given = await approvedPair()
    const { plan, confirm } = await planned(given.admin, 'takeOffRelease', aboutApple(given))
    assert.include(JSON.stringify(plan), 'both go out once both are ready')
    assert.equal(await confirm(), 'done')
    await given.work(2)
    assert.deepEqual(await given.asked(), { apple: false, google: true })
  })
})

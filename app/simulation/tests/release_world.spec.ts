import { test } from '@japa/runner'
import { rehearsal } from './support/simulated_release.js'
import { withoutLeftWork } from '#tests/support/left_work'

test.group('A release in a simulated world', (group) => {
  withoutLeftWork(group)

  test('a build of CI is seen in the store, submitted and reviewed', async ({ assert }) => {
    const rehearsed = await rehearsal('happy-train', 'apple')
    const { build, submit, advance, release, statuses, events, state } = rehearsed
    await build()
    await advance('1h')
    await advance('1h')
    assert.includeMembers(await events(), [
      'ciBuild.statusChanged',
      'appStoreBuild.newBuildAvailable',
      'ciBuild.appStoreBuildAssociated',
    ])
    assert.equal((await submit()).status, 200)
    assert.equal((await release()).phase, 'submitted')
    const [{ versions }] = (await state()).appStores
    assert.containsSubset(versions, [{ version: '4.2.0', state: 'WAITING_FOR_REVIEW' }])
    await advance('9h')
    assert.equal((await release()).phase, 'inReview')
    await advance('3h')
    const after = await release()
    assert.equal(after.phase, 'readyToRelease')
    assert.equal(after.appStoreVersions[0].apple.appStoreState, 'PENDING_DEVELOPER_RELEASE')
    assert.containsSubset(await statuses(), { storeReview: 'complete', takeoff: 'inProgress' })
    assert.deepEqual(await rehearsed.refused(), [])
  })

  test('a build is submitted and reviewed in Google Play, too', async ({ assert }) => {
    const { build, submit, advance, release, refused, statuses } = await rehearsal(
      'happy-train',
      'google'
    )
    await build()
    await advance('2h')
    assert.equal((await submit()).status, 200)
    await advance('1h')
    assert.equal((await release()).phase, 'inReview')
    await advance('6h')
    const [{ google }] = (await release()).appStoreVersions
    assert.equal(google.reviewStatus, 'approved')
    assert.containsSubset(await statuses(), { storeReview: 'complete', takeoff: 'inProgress' })
    assert.deepEqual(await refused(), [])
  })

  test('a repeated submission to Google Play happens once, although its lists lag', async ({
    assert,
  }) => {
    const { build, submit, advance, release, events } = await rehearsal('rejected', 'google')
    await build()
    await advance('2h')
    await submit()
    await advance('20h')
    assert.equal((await release()).phase, 'rejected')
    const submitted = async () =>
      (await events()).filter((type) => type === 'release.submitted').length
    const before = await submitted()
    assert.equal((await submit()).status, 200)
    await advance('5s')
    assert.equal((await release()).phase, 'inReview')
    await advance('10m')
    assert.equal((await release()).phase, 'inReview')
    assert.equal(await submitted(), before + 1)
  })

  test('a rejection is recognized, and no refused call is repeated', async ({ assert }) => {
    for (const [scenario, state] of [
      ['rejected', 'REJECTED'],
      ['metadata-rejected', 'METADATA_REJECTED'],
    ]) {
      const { build, submit, advance, release, refused, statuses } = await rehearsal(
        scenario,
        'apple'
      )
      await build()
      await advance('2h')
      await submit()
      await advance('12h')
      const { phase, appStoreVersions } = await release()
      assert.equal(phase, 'rejected')
      assert.equal(appStoreVersions[0].apple.appStoreState, state)
      assert.notEqual((await statuses()).storeReview, 'complete')
      await advance('2d')
      const repeated = (await refused()).filter((each, index, all) => all.indexOf(each) !== index)
      assert.deepEqual(repeated, [])
    }
  })

  test('an action in the store’s own console is recognized', async ({ assert }) => {
    const { build, submit, advance, release } = await rehearsal('console', 'apple')
    await build()
    await advance('2h')
    await submit()
    await advance('9h')
    await advance('2h')
    const { appStoreVersions } = await release()
    assert.equal(appStoreVersions[0].apple.appStoreState, 'DEVELOPER_REJECTED')
  })
})

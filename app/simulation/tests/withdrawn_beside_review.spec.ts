import { test } from '@japa/runner'
import { lockWorld, storeWorld } from '../queries/find_world.js'
import { commits, liveAtAShare, type Overlapping } from './support/overlapping.js'
import { BUNDLE } from './support/simulated_release.js'
import { withoutLeftWork } from '#tests/support/left_work'

/** Sends 4.4.0 for review in the console while 4.3.0 is in review: both are reviewed together. */
async function alsoInReview({ world, admin, appId, settle }: Overlapping): Promise<void> {
  await admin.post(`/app/${appId}/release`, { version: '4.4.0' })
  await admin.put(`/app/${appId}/release/${appId}:4.4.0/kickoff`)
  await world.write(async (scope) => {
    const { id, state } = await lockWorld(scope)
    const { [BUNDLE.bundleId]: play } = state.plays
    const bundle = play.bundles.at(-1)!
    const release = play.releases.find(({ versionCodes }) =>
      versionCodes.includes(bundle.versionCode)
    )!
    const versionCode = bundle.versionCode + 1
    const changed = {
      ...play,
      bundles: [
        ...play.bundles,
        { ...bundle, id: String(versionCode), versionCode, versionName: '4.4.0' },
      ],
      releases: [
        ...play.releases,
        { ...release, id: 'production-console', versionCodes: [versionCode] },
      ],
    }
    await storeWorld(scope, id, {
      state: { ...state, plays: { ...state.plays, [BUNDLE.bundleId]: changed } },
    })
  })
  await settle()
}

test.group('developerRejectSubmission at Google Play', (group) => {
  withoutLeftWork(group)

  test('is one commit; other changes in review are sent again, with a message', async ({
    assert,
  }) => {
    const given = await liveAtAShare()
    const { admin, appId, inStore, settle, timeline, refused, advance } = given
    await given.overlap()
    await alsoInReview(given)
    const review = (await inStore('4.4.0')).submission
    const before = (await commits(given)).length
    const withdrawal = `/app/${appId}/release/${appId}:4.3.0/developerRejectSubmission`
    assert.equal((await admin.put(withdrawal)).status, 200)
    assert.isEmpty(await timeline('4.4.0', 'store.reviewRestarted'))
    await settle(5)
    assert.lengthOf((await commits(given)).slice(before), 1)
    assert.deepEqual(await refused(), [])
    assert.equal((await inStore('4.3.0')).status, 'draft')
    assert.containSubset(await inStore('4.2.0'), { status: 'inProgress', userFraction: 0.2 })
    const again = await inStore('4.4.0')
    assert.equal(again.attempts, 2)
    assert.isAbove(again.submission.at, review.at)
    assert.deepEqual(await timeline('4.4.0', 'store.reviewRestarted'), [
      'Google Play reviews 4.4.0 from the beginning: 4.3.0 was withdrawn from review, which sends all changes of the app again',
    ])
    for (const version of ['4.2.0', '4.3.0']) {
      assert.isEmpty(await timeline(version, 'store.reviewRestarted'))
    }
    // A withdrawn release is not published with the others once they are approved.
    await advance('6h')
    assert.equal((await inStore('4.3.0')).status, 'draft')
  })
})

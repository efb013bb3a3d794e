import { test } from '@japa/runner'
import { makeTrain, recordFacts, reported, typesOf } from './helpers/release_world.js'

test.group('PUT /app/{appId}/release/{releaseId}/complete', () => {
  test('200 completes it by hand, and the train moves on', async ({ assert }) => {
    const { world, admin, path, statuses, timeline } = await makeTrain(['1.0.0', '1.2.0', '1.1.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    const count = (await reported(world)).length
    const { status, body } = await admin.put(path('1.0.0') + '/complete')
    assert.equal(status, 200)
    assert.containsSubset(body, { status: 'completed', phase: 'released' })
    assert.isString(body.completedAt)
    assert.deepEqual(await statuses(), {
      '1.0.0': 'completed',
      '1.1.0': 'active',
      '1.2.0': 'upcoming',
    })
    const [released, completed] = await timeline('1.0.0')
    assert.equal(released.type, 'release.released')
    assert.containsSubset(completed, {
      type: 'release.updated',
      data: { status: { from: 'active', to: 'completed' } },
    })
    assert.deepEqual(typesOf((await reported(world)).slice(count)), ['release.released'])

    const again = await admin.put(path('1.0.0') + '/complete')
    assert.deepEqual([again.status, again.body], [200, body])
  })

  test('200 a release that is live by its facts completes by itself', async ({ assert }) => {
    const train = await makeTrain(['1.0.0', '1.1.0'], { platform: 'react-native-ota' })
    await train.admin.put(train.path('1.0.0') + '/kickoff')
    await recordFacts(train, '1.0.0', async (scope, release) => {
      release.releasedAt = scope.now
    })
    assert.deepEqual(await train.statuses(), { '1.0.0': 'completed', '1.1.0': 'active' })
    assert.deepEqual(typesOf(await train.timeline('1.1.0')), ['release.updated', 'release.created'])
  })

  test('200 an active release of a team that records no kickoff', async ({ assert }) => {
    const { admin, path, statuses } = await makeTrain(['1.0.0', '1.1.0'])
    const { body } = await admin.put(path('1.0.0') + '/complete')
    assert.containsSubset(body, { status: 'completed', kickedOffAt: null })
    assert.deepEqual(await statuses(), { '1.0.0': 'completed', '1.1.0': 'active' })
  })

  test('409 for an upcoming release, which is not kicked off, and for a skipped one', async ({
    assert,
  }) => {
    const { admin, path, statuses } = await makeTrain(['1.0.0', '1.1.0', '1.2.0'])
    const { status, body } = await admin.put(path('1.1.0') + '/complete')
    assert.deepEqual([status, body.code], [409, 'release_not_kicked_off'])
    assert.include(body.allowedActions, 'kickoff')
    assert.notInclude(body.allowedActions, 'complete')
    await admin.put(path('1.2.0') + '/skip')
    const skipped = await admin.put(path('1.2.0') + '/complete')
    assert.deepEqual([skipped.status, skipped.body.code], [409, 'release_skipped'])
    assert.deepEqual(await statuses(), {
      '1.0.0': 'active',
      '1.1.0': 'upcoming',
      '1.2.0': 'skipped',
    })
  })

  test('403 without the action, 404 for another organization', async ({ assert }) => {
    const { world, admin, path } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    const qa = await world.keyed({ groups: ['QA'] })
    assert.equal((await qa.put(path('1.0.0') + '/complete')).status, 403)
    assert.equal((await admin.put(stranger.path('1.0.0') + '/complete')).status, 404)
  })
})

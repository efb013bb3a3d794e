import { test } from '@japa/runner'
import { makeItem, makeTrain, setItem, reported, typesOf } from './helpers/release_world.js'

test.group('PUT /app/{appId}/release/{releaseId}/kickoff', () => {
  test('200 kicks off once, with all events in causal order', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const { world, admin, app, path, timeline } = train
    await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
    const { status, body } = await admin.put(path('1.0.0') + '/kickoff')
    assert.equal(status, 200)
    assert.containsSubset(body, {
      id: `${app}:1.0.0`,
      status: 'active',
      phase: 'kickedOff',
      readyToSubmit: false,
    })
    const events = (await reported(world)).slice(1)
    assert.deepEqual(
      events.map(({ type, payload }) => [
        type,
        payload.releaseSteps?.[0].type,
        payload.previousStatus,
      ]),
      [
        ['release.kickedOff', undefined, undefined],
        ['releaseStep.statusChanged', 'kickoff', 'notStarted'],
        ['releaseStep.statusChanged', 'approvals', 'notStarted'],
      ]
    )
    assert.equal(events[0].payload.release.kickedOffAt, body.kickedOffAt)
    assert.containsSubset(events[1].payload.releaseSteps, [{ type: 'kickoff', status: 'complete' }])
    assert.deepEqual(typesOf(await timeline('1.0.0')), [
      'releaseStep.statusChanged',
      'releaseStep.statusChanged',
      'release.kickedOff',
      'checklistItem.added',
      'release.created',
    ])

    const again = await admin.put(path('1.0.0') + '/kickoff')
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, body)
    assert.lengthOf(await reported(world), 4)
  })

  test('200 the last item makes the release ready to submit, and again after a setback', async ({
    assert,
  }) => {
    const train = await makeTrain(['1.0.0'])
    const { world, admin, path, detail } = train
    const item = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
    await admin.put(path('1.0.0') + '/kickoff')
    assert.notInclude(typesOf(await reported(world)), 'release.stepsReadyToSubmit')
    await setItem(train, '1.0.0', item, 'approved')
    assert.deepEqual(typesOf(await reported(world)).slice(-3), [
      'checklistItem.statusChanged',
      'releaseStep.statusChanged',
      'release.stepsReadyToSubmit',
    ])
    assert.containsSubset(await detail('1.0.0'), { readyToSubmit: true, phase: 'readyToSubmit' })
    await setItem(train, '1.0.0', item, 'rejected')
    await setItem(train, '1.0.0', item, 'approved')
    assert.lengthOf(
      typesOf(await reported(world)).filter((type) => type === 'release.stepsReadyToSubmit'),
      2
    )
  })

  test('200 an upcoming release becomes active beside the active one', async ({ assert }) => {
    const { world, admin, path, statuses } = await makeTrain(['1.0.0', '1.1.0', '1.2.0'])
    await admin.put(path('1.1.0') + '/kickoff')
    assert.deepEqual(await statuses(), {
      '1.0.0': 'active',
      '1.1.0': 'active',
      '1.2.0': 'upcoming',
    })
    await admin.put(path('1.0.0') + '/skip')
    assert.equal((await statuses())['1.2.0'], 'upcoming')
    const [kickedOff] = (await reported(world)).filter(({ type }) => type === 'release.kickedOff')
    assert.equal(kickedOff.payload.release.status, 'active')
  })

  test('stepsReadyToSubmit only occurs for apps with a store', async ({ assert }) => {
    for (const [platform, expected] of [
      ['ios', 1],
      ['android', 1],
      ['react-native-ota', 0],
    ] as const) {
      const { world, admin, path } = await makeTrain(['1.0.0'], { platform })
      await admin.put(path('1.0.0') + '/kickoff')
      const ready = typesOf(await reported(world)).filter((type) =>
        type.startsWith('release.stepsReady')
      )
      assert.lengthOf(ready, expected, platform)
    }
  })

  test('409 for a completed or skipped release', async ({ assert }) => {
    const { world, admin, path } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    await admin.put(path('1.0.0') + '/complete')
    await admin.put(path('1.1.0') + '/skip')
    const count = (await reported(world)).length
    const completed = await admin.put(path('1.0.0') + '/kickoff')
    assert.deepEqual([completed.status, completed.body.code], [409, 'release_completed'])
    const skipped = await admin.put(path('1.1.0') + '/kickoff')
    assert.deepEqual([skipped.status, skipped.body.code], [409, 'release_skipped'])
    assert.include(skipped.body.allowedActions, 'unskip')
    assert.lengthOf(await reported(world), count)
  })

  test('403 and 404', async ({ assert }) => {
    const { world, admin, path, detail } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    const managers = await world.keyed({ groups: ['Product Managers'] })
    const refused = await managers.put(path('1.0.0') + '/kickoff')
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body.missingActions, ['CreateBranchPromoteCode'])
    assert.equal((await admin.put(stranger.path('1.0.0') + '/kickoff')).status, 404)
    assert.isNull((await detail('1.0.0')).kickedOffAt)
    assert.isNull((await stranger.detail('1.0.0')).kickedOffAt)
  })
})

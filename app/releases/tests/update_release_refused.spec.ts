import { test } from '@japa/runner'
import { makeTrain, recordFacts, reported, typesOf } from './helpers/release_world.js'

const KICKOFF = '2026-12-01T09:00:00.000Z'
const SUBMIT = '2026-12-03T09:00:00.000Z'
const RELEASE = '2026-12-05T09:00:00.000Z'

test.group('PUT /app/{appId}/release/{releaseId}, refused', () => {
  test('403 names the missing action for each kind of change', async ({ assert }) => {
    const { world, admin, app, path, detail } = await makeTrain(['1.0.0'])
    const groupOf = async (name: string, userActions: string[]) => {
      await admin.post(`/org/${world.organizationId}/group`, { name, userActions })
      return world.keyed({ groups: [name] })
    }
    const editor = await groupOf('Editors', ['EditRelease'])
    const planner = await groupOf('Planners', ['UpdateReleaseTargetDates'])
    const none = await groupOf('Others', ['UploadBuilds'])
    const before = await detail('1.0.0')

    const refusals: [typeof editor, object, string][] = [
      [planner, { releaseName: 'X' }, 'EditRelease'],
      [planner, { version: '2.0.0' }, 'EditRelease'],
      [planner, { releaseName: 'X', targetKickoffAt: KICKOFF }, 'EditRelease'],
      [editor, { targetKickoffAt: KICKOFF }, 'UpdateReleaseTargetDates'],
      [editor, { releaseName: 'X', targetKickoffAt: KICKOFF }, 'UpdateReleaseTargetDates'],
      [editor, { releaseType: 'hotfix' }, 'CreateHotfix'],
      [none, { releaseName: 'X' }, 'EditRelease'],
      [none, {}, 'EditRelease'],
    ]
    for (const [client, input, action] of refusals) {
      const { status, body } = await client.put(path('1.0.0'), input)
      assert.equal(status, 403, JSON.stringify(input))
      assert.include(body.detail, action)
      assert.include(body.missingActions, action)
    }
    assert.deepEqual(await detail('1.0.0'), before)

    assert.equal((await planner.put(path('1.0.0'), { targetKickoffAt: KICKOFF })).status, 200)
    assert.equal((await editor.put(path('1.0.0'), { releaseName: 'X' })).status, 200)
    // An unchanged value needs no user action.
    const along = await editor.put(path('1.0.0'), { releaseName: 'Y', targetKickoffAt: KICKOFF })
    assert.equal(along.status, 200)
    const scoped = await world.keyed({ groups: ['Editors'], appIds: [app] })
    assert.equal((await scoped.put(path('1.0.0'), { releaseName: 'Z' })).status, 200)
  })

  test('404 for another organization, even with a former id of its release', async ({ assert }) => {
    const { admin } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    await stranger.admin.put(stranger.path('1.0.0'), { version: '2.0.0' })
    for (const version of ['1.0.0', '2.0.0']) {
      assert.equal((await admin.put(stranger.path(version), { releaseName: 'X' })).status, 404)
    }
  })

  test('409 for a taken version', async ({ assert }) => {
    const { admin, path, statuses } = await makeTrain(['1.0.0', '1.1.0'])
    const { status, body } = await admin.put(path('1.1.0'), { version: '1', releaseName: 'X' })
    assert.equal(status, 409)
    assert.equal(body.code, 'version_taken')
    assert.deepEqual(await statuses(), { '1.0.0': 'active', '1.1.0': 'upcoming' })
  })

  test('409 for a change of version or kind after kickoff', async ({ assert }) => {
    const { world, admin, path } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    const count = (await reported(world)).length
    for (const input of [{ version: '1.0.1' }, { releaseType: 'hotfix' }]) {
      const { status, body } = await admin.put(path('1.0.0'), { ...input, releaseName: 'X' })
      assert.equal(status, 409)
      assert.containsSubset(body, { code: 'release_kicked_off', currentStatus: 'active' })
      assert.includeMembers(body.allowedActions, ['complete', 'skip', 'delete', 'edit'])
      assert.notInclude(body.allowedActions, 'changeVersion')
    }
    await admin.put(path('1.0.0') + '/complete')
    const completed = await admin.put(path('1.0.0'), { version: '1.0.1' })
    assert.equal(completed.body.code, 'release_completed')
    // Completing released it, and nothing else happened.
    assert.lengthOf(await reported(world), count + 1)
    // Another spelling of the version is a change, and not silently ignored.
    const respelt = await admin.put(path('1.0.0'), { version: '1.0' })
    assert.deepEqual([respelt.status, respelt.body.code], [409, 'release_completed'])
    const { status, body } = await admin.put(path('1.0.0'), { version: '1.0.0' })
    assert.deepEqual([status, body.version], [200, '1.0.0'])
  })

  test('422 for targets out of order, even across partial updates', async ({ assert }) => {
    const { world, admin, path, detail } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0'), { targetSubmitAt: SUBMIT })
    for (const [input, pointer] of [
      [{ targetKickoffAt: RELEASE }, '/targetSubmitAt'],
      [{ targetReleaseAt: KICKOFF }, '/targetReleaseAt'],
      [
        { targetKickoffAt: RELEASE, targetSubmitAt: null, targetReleaseAt: SUBMIT },
        '/targetReleaseAt',
      ],
    ] as [object, string][]) {
      const { status, body } = await admin.put(path('1.0.0'), input)
      assert.equal(status, 422)
      assert.equal(body.errors[0].pointer, pointer)
      assert.equal(body.errors[0].code, 'target_order')
    }
    assert.containsSubset(await detail('1.0.0'), { targetKickoffAt: null, targetSubmitAt: SUBMIT })
    assert.equal((await admin.put(path('1.0.0'), { targetKickoffAt: SUBMIT })).status, 200)
    assert.deepEqual(typesOf(await reported(world)), [
      'release.created',
      'release.targetDateUpdated',
      'release.targetDateUpdated',
    ])
  })

  test('422 for broken input {$i}')
    .with([
      [{ version: '1.x' }, '/version'],
      [{ version: '' }, '/version'],
      [{ version: 2 }, '/version'],
      [{ version: '1.2.3.4' }, '/version'],
      [{ version: '1.1111111111' }, '/version'],
      [{ releaseType: 'minor' }, '/releaseType'],
      [{ releaseType: 'rollback' }, '/releaseType'],
      [{ releaseName: 'x'.repeat(201) }, '/releaseName'],
      [{ releaseName: '' }, '/releaseName'],
      [{ releaseName: ['x'] }, '/releaseName'],
      [{ releaseDescription: 'x'.repeat(10_001) }, '/releaseDescription'],
      [{ releasePilotId: 'nobody@acme.example' }, '/releasePilotId'],
      [{ targetKickoffAt: 'soon' }, '/targetKickoffAt'],
      [{ targetKickoffAt: 1_790_000_000 }, '/targetKickoffAt'],
      [{ targetKickoffAt: '2026-02-30T00:00:00Z' }, '/targetKickoffAt'],
      [{ targetKickoffAt: '9999-12-31T23:59:59-05:00' }, '/targetKickoffAt'],
      [{ targetKickoffAt: '0000-01-01T00:00:00+05:00' }, '/targetKickoffAt'],
    ] as [object, string][])
    .run(async ({ assert }, [input, pointer]) => {
      const { admin, path, detail } = await makeTrain(['1.0.0'])
      const before = await detail('1.0.0')
      const { status, body } = await admin.put(path('1.0.0'), input)
      assert.equal(status, 422)
      assert.equal(body.errors[0].pointer, pointer)
      assert.deepEqual(await detail('1.0.0'), before)
    })

  test('422 for a hotfix not above its base, or a rollback not above its target', async ({
    assert,
  }) => {
    const { admin, app, path } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.post(`/app/${app}/release`, {
      version: '1.0.1',
      releaseType: 'hotfix',
      baseTag: { name: 'v1.0.0' },
    })
    await admin.post(`/app/${app}/release`, {
      version: '1.1.1',
      releaseType: 'rollback',
      rollback: { sourceVersion: '1.0.0', targetVersion: '1.1.0' },
    })
    for (const [from, to] of [
      ['1.0.1', '0.9.0'],
      ['1.1.1', '1.0.9'],
    ]) {
      const { status, body } = await admin.put(path(from), { version: to })
      assert.equal(status, 422, from)
      assert.containsSubset(body.errors[0], { pointer: '/version', code: 'above_base' })
    }
    assert.equal((await admin.put(path('1.0.1'), { version: '1.0.2' })).status, 200)
    assert.equal((await admin.put(path('1.1.1'), { version: '1.1.2' })).status, 200)
  })

  test('422 for a change to a hotfix while nothing is live', async ({ assert }) => {
    const { admin, path, detail } = await makeTrain(['1.0.0'])
    const before = await detail('1.0.0')
    const { status, body } = await admin.put(path('1.0.0'), { releaseType: 'hotfix' })
    assert.equal(status, 422)
    assert.containsSubset(body.errors[0], { pointer: '/baseTag', code: 'required' })
    assert.deepEqual(await detail('1.0.0'), before)
  })

  test('422 for a change to a hotfix of a release below the live version', async ({ assert }) => {
    const train = await makeTrain(['2.0.0', '1.5.0', '2.0.1'])
    await recordFacts(train, '2.0.0', async (scope, release) => {
      release.merge({ status: 'completed', completedAt: scope.now, releasedAt: scope.now })
    })
    const { status, body } = await train.admin.put(train.path('1.5.0'), { releaseType: 'hotfix' })
    assert.equal(status, 422)
    assert.equal(body.errors[0].code, 'above_base')
    const above = await train.admin.put(train.path('2.0.1'), { releaseType: 'hotfix' })
    assert.containsSubset(above.body, { releaseType: 'hotfix', baseTag: { name: '2.0.0' } })
  })
})

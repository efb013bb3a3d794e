import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { makeItem, makeTrain, recordFacts, reported, typesOf } from './helpers/release_world.js'

test.group('DELETE /app/{appId}/release/{releaseId}', () => {
  test('204 deletes the release with all of its data; its events stay', async ({ assert }) => {
    const train = await makeTrain()
    const { world, admin, app, path } = train
    await makeItem(train, { kind: 'approval', stepType: 'approvals' })
    await admin.post(`/app/${app}/release`, { version: '1.0.0' })
    await admin.put(path('1.0.0'), { version: '1.0.1' })
    const { id } = await db.from('releases').where('app_id', app).firstOrFail()
    const { status, text } = await admin.delete(path('1.0.1'))
    assert.equal(status, 204)
    assert.equal(text, '')
    for (const version of ['1.0.0', '1.0.1']) {
      assert.equal((await admin.get(`/v2/app/${app}/releases/${app}:${version}`)).status, 404)
      assert.equal((await admin.delete(path(version))).status, 404)
    }
    for (const table of ['release_steps', 'step_runs', 'release_items', 'release_aliases']) {
      assert.lengthOf(await db.from(table).where('release_id', id), 0, table)
    }
    const kept = await db.from('events').where('release_id', id).orderBy('position')
    assert.deepEqual(typesOf(kept), ['release.created', 'release.updated', 'release.deleted'])
    assert.deepEqual(JSON.parse(kept[2].data), { releaseId: `${app}:1.0.1`, status: 'active' })
    assert.deepEqual(typesOf(await reported(world)), ['release.created'])
  })

  test('204 the train moves on to the lowest upcoming version', async ({ assert }) => {
    const { admin, path, statuses } = await makeTrain(['1.0.0', '1.10.0', '1.9.0'])
    await admin.delete(path('1.10.0'))
    assert.deepEqual(await statuses(), { '1.0.0': 'active', '1.9.0': 'upcoming' })
    await admin.post(path('').replace(/\/[^/]*$/, ''), { version: '1.10.0' })
    await admin.delete(path('1.0.0'))
    assert.deepEqual(await statuses(), { '1.9.0': 'active', '1.10.0': 'upcoming' })
  })

  test('204 deleting a hotfix does not move the train', async ({ assert }) => {
    const { admin, app, path, statuses } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.post(`/app/${app}/release`, {
      version: '1.0.1',
      releaseType: 'hotfix',
      baseTag: { name: '1.0.0' },
    })
    assert.equal((await admin.delete(path('1.0.1'))).status, 204)
    assert.deepEqual(await statuses(), { '1.0.0': 'active', '1.1.0': 'upcoming' })
  })

  test('204 for a release that is kicked off or skipped, but not submitted', async ({ assert }) => {
    const { admin, path, statuses } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    assert.equal((await admin.delete(path('1.0.0'))).status, 204)
    await admin.put(path('1.1.0') + '/skip')
    assert.equal((await admin.delete(path('1.1.0'))).status, 204)
    assert.deepEqual(await statuses(), {})
  })

  test('409 for a submitted or completed release', async ({ assert }) => {
    const train = await makeTrain(['1.0.0', '1.1.0'])
    const { admin, path, statuses } = train
    await admin.put(path('1.0.0') + '/kickoff')
    await recordFacts(train, '1.0.0', async (scope, release) => {
      release.submittedAt = scope.now
    })
    const submitted = await admin.delete(path('1.0.0'))
    assert.equal(submitted.status, 409)
    assert.containsSubset(submitted.body, { code: 'release_submitted', currentStatus: 'active' })
    assert.notInclude(submitted.body.allowedActions, 'delete')
    await admin.put(path('1.0.0') + '/skip')
    assert.equal((await admin.delete(path('1.0.0'))).body.code, 'release_submitted')

    await admin.put(path('1.1.0') + '/kickoff')
    await admin.put(path('1.1.0') + '/complete')
    const completed = await admin.delete(path('1.1.0'))
    assert.equal(completed.status, 409)
    assert.containsSubset(completed.body, {
      code: 'release_completed',
      currentStatus: 'completed',
      allowedActions: ['edit'],
    })
    assert.deepEqual(await statuses(), { '1.0.0': 'skipped', '1.1.0': 'completed' })
  })

  test('412 for a lost race', async ({ assert }) => {
    const { admin, app, path } = await makeTrain(['1.0.0'])
    const { headers } = await admin.get(`/v2/app/${app}/releases/${app}:1.0.0`)
    await admin.put(path('1.0.0'), { releaseName: 'Winter' })
    const guarded = { headers: { 'if-match': headers.etag } }
    assert.equal((await admin.delete(path('1.0.0'), undefined, guarded)).status, 412)
  })

  test('403 without the action, 404 for an unknown or foreign release', async ({ assert }) => {
    const { world, admin, path, statuses } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    const qa = await world.keyed({ groups: ['QA'] })
    const refused = await qa.delete(path('1.0.0'))
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body.missingActions, ['CreateDeleteRelease'])
    assert.equal((await admin.delete(stranger.path('1.0.0'))).status, 404)
    assert.equal((await admin.delete(path('7'))).status, 404)
    assert.deepEqual(await statuses(), { '1.0.0': 'active' })
    assert.deepEqual(await stranger.statuses(), { '1.0.0': 'active' })
  })
})

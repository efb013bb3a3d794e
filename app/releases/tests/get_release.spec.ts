import { test } from '@japa/runner'
import { makeUser } from '#tests/support/app_fixture'
import { makeTrain } from './helpers/release_world.js'

test.group('GET /v2/app/{appId}/releases/{releaseId}', () => {
  test('200 returns the release with its steps in the order of the workflow', async ({
    assert,
  }) => {
    const { world, admin, app } = await makeTrain([], {
      settings: { hideNotRequiredReleaseStepsInTimeline: true },
    })
    const ada = await makeUser(world, 'ada@acme.example')
    await admin.post(`/app/${app}/release`, {
      version: '1.4.0',
      releaseName: 'Winter',
      releaseDescription: 'Snow',
      releasePilotId: ada,
      targetSubmitAt: '2026-12-01T09:00:00.5Z',
    })
    const { status, body, headers } = await admin.get(`/v2/app/${app}/releases/${app}:1.4.0`)
    assert.equal(status, 200)
    assert.containsSubset(body, {
      id: `${app}:1.4.0`,
      appId: app,
      version: '1.4.0',
      releaseName: 'Winter',
      releaseDescription: 'Snow',
      releasePilot: { id: ada, email: 'ada@acme.example', name: 'ada' },
      releasePilotId: ada,
      targetKickoffAt: null,
      targetSubmitAt: '2026-12-01T09:00:00.500Z',
      kickedOffAt: null,
      customMetadata: null,
      createdBy: { type: 'apiKey', name: 'admin' },
      fixRequests: 0,
    })
    assert.deepEqual(
      body.steps.map(({ type, required, hidden, groupIndex }: any) => [
        type,
        required,
        hidden,
        groupIndex,
      ]),
      [
        ['kickoff', true, false, 0],
        ['regressionTesting', true, false, 1],
        ['screenshots', false, true, 2],
        ['approvals', true, false, 3],
        ['submission', true, false, 4],
      ]
    )
    assert.match(headers.etag, /^"/)
  })

  test('200 for every spelling of its id, and under /v1', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.4'])
    for (const id of [
      `${app}:1.4`,
      `${app}%3A1.4`,
      `${app}%3a1.4.0`,
      `${app}:1.4.0`,
      `${app}:01.04`,
    ]) {
      const { status, body } = await admin.get(`/v1/v2/app/${app}/releases/${id}`)
      assert.equal(status, 200, id)
      assert.equal(body.id, `${app}:1.4`)
    }
  })

  test('304 while nothing changed, another tag once something has', async ({ assert }) => {
    const { admin, app, path } = await makeTrain(['1.0.0'])
    const url = `/v2/app/${app}/releases/${app}:1.0.0`
    const { headers } = await admin.get(url)
    const same = { headers: { 'if-none-match': `"other", ${headers.etag}` } }
    assert.equal((await admin.get(url, same)).status, 304)
    await admin.put(path('1.0.0'), { releaseName: 'Other' })
    const changed = await admin.get(url, same)
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.etag, headers.etag)
  })

  test('404 for an unknown release, with the same answer as for another organization', async ({
    assert,
  }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    const paths = [
      `/v2/app/${app}/releases/${app}:9.9.9`,
      `/v2/app/${app}/releases/${app}`,
      `/v2/app/${app}/releases/${app}:`,
      `/v2/app/${app}/releases/${app}:1.0.0.0`,
      `/v2/app/${app}/releases/1.0.0`,
      `/v2/app/${app}/releases/${stranger.app}:1.0.0`,
      `/v2/app/${stranger.app}/releases/${stranger.app}:1.0.0`,
      `/v2/app/${stranger.app}/releases/${app}:1.0.0`,
      `/v2/app/nothing-ios/releases/nothing-ios:1.0.0`,
    ]
    const responses = await Promise.all(paths.map((path) => admin.get(path)))
    for (const [index, { status, body }] of responses.entries()) {
      assert.equal(status, 404, paths[index])
      const neutral = { requestId: '', instance: '' }
      assert.deepEqual({ ...body, ...neutral }, { ...responses[0].body, ...neutral })
    }
  })
})

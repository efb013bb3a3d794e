import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { makeTrain, reported, typesOf } from './helpers/release_world.js'

const KICKOFF = '2026-12-01T09:00:00.000Z'
const SUBMIT = '2026-12-03T09:00:00.000Z'
const RELEASE = '2026-12-05T09:00:00.000Z'

test.group('PUT /app/{appId}/release/{releaseId}', () => {
  test('200 changes each given field and leaves the others', async ({ assert }) => {
    const { world, admin, path, detail } = await makeTrain(['1.0.0'])
    const ada = await makeUser(world, 'ada@acme.example')
    const changes: [object, object][] = [
      [{ releaseName: 'Winter' }, { releaseName: 'Winter' }],
      [{ releaseDescription: '' }, { releaseDescription: '' }],
      [{ releasePilotId: ada }, { releasePilotId: ada, releasePilot: { id: ada } }],
      [{ targetKickoffAt: '2026-12-01T10:00:00+01:00' }, { targetKickoffAt: KICKOFF }],
      [{ targetSubmitAt: SUBMIT }, { targetSubmitAt: SUBMIT }],
      [{ targetReleaseAt: RELEASE }, { targetReleaseAt: RELEASE }],
      [{ releaseName: null }, { releaseName: null, releaseDescription: '' }],
      [{ releasePilotId: null }, { releasePilotId: null, releasePilot: null }],
      [{ targetSubmitAt: null }, { targetKickoffAt: KICKOFF, targetSubmitAt: null }],
    ]
    for (const [input, expected] of changes) {
      const { status, body, headers } = await admin.put(path('1.0.0'), input)
      assert.equal(status, 200)
      assert.containsSubset(body, expected)
      const read = await detail('1.0.0')
      assert.containsSubset(read, body)
      assert.match(headers['content-location'], /^\/v2\/app\/.+\/releases\/.+:1\.0\.0$/)
    }
  })

  test('200 for an update priority at Google Play; 422 elsewhere, and above 5', async ({
    assert,
  }) => {
    const { world, admin } = await makeTrain(['1.0.0'])
    const change = async (platform: 'ios' | 'android', inAppUpdatePriority: unknown) => {
      const appId = await makeApp(world, { platform })
      const path = `/app/${appId}/release`
      const made = await admin.post(path, { version: '2.0.0', inAppUpdatePriority })
      await admin.post(path, { version: '3.0.0' })
      const { status, body } = await admin.put(`${path}/${appId}:3.0.0`, { inAppUpdatePriority })
      return [made.status, made.body.inAppUpdatePriority, status, body.inAppUpdatePriority]
    }
    assert.deepEqual(await change('android', 5), [201, 5, 200, 5])
    assert.deepEqual(await change('android', 0), [201, 0, 200, 0])
    assert.deepEqual(await change('ios', null), [201, null, 200, null])
    for (const [platform, wrong] of [
      ['ios', 5],
      ['android', 6],
      ['android', 1.5],
      ['android', '3'],
    ] as const) {
      assert.deepEqual(await change(platform, wrong), [422, undefined, 422, undefined])
    }
  })

  test('200 returns the tag of the release, and If-Match only accepts the current one', async ({
    assert,
  }) => {
    const { admin, app, path, detail } = await makeTrain(['1.0.0'])
    const url = `/v2/app/${app}/releases/${app}:1.0.0`
    const first = (await admin.get(url)).headers.etag
    const guarded = (etag: string, releaseName: string) =>
      admin.put(path('1.0.0'), { releaseName }, { headers: { 'if-match': etag } })
    const won = await guarded(first, 'One')
    assert.equal(won.status, 200)
    assert.equal(won.headers.etag, (await admin.get(url)).headers.etag)
    const lost = await guarded(first, 'Two')
    assert.equal(lost.status, 412)
    assert.equal(lost.headers.etag, won.headers.etag)
    assert.equal((await guarded(`W/${won.headers.etag}`, 'Two')).status, 412)
    assert.equal((await detail('1.0.0')).releaseName, 'One')
    assert.equal((await guarded(`"x", ${won.headers.etag}`, 'Three')).status, 200)
    assert.equal((await guarded('*', 'Four')).status, 200)
  })

  test('428 without If-Match if the organization requires it', async ({ assert }) => {
    const { world, admin, path } = await makeTrain(['1.0.0'])
    await db.from('organizations').where('id', world.organizationId).update({
      require_if_match: true,
    })
    assert.equal((await admin.put(path('1.0.0'), { releaseName: 'One' })).status, 428)
  })

  test('200 a change of version changes the id, and the old one redirects with 308', async ({
    assert,
  }) => {
    const { admin, app, path } = await makeTrain(['1.0.0'])
    const moved = await admin.put(path('1.0.0'), { version: '1.2' })
    assert.equal(moved.status, 200)
    assert.containsSubset(moved.body, { id: `${app}:1.2`, version: '1.2' })
    assert.equal(moved.headers['content-location'], `/v2/app/${app}/releases/${app}:1.2`)
    const present = await admin.get(`/v2/app/${app}/releases/${app}:1.2`)
    assert.equal(present.status, 200)
    assert.equal(moved.headers.etag, present.headers.etag)

    const cases: [string, string, string][] = [
      ['GET', `/v2/app/${app}/releases/${app}:1.0.0`, `/v2/app/${app}/releases/${app}:1.2`],
      ['HEAD', `/v2/app/${app}/releases/${app}:1.0.0`, `/v2/app/${app}/releases/${app}:1.2`],
      ['GET', `/v1/v2/app/${app}/releases/${app}%3A1`, `/v1/v2/app/${app}/releases/${app}:1.2`],
      [
        'GET',
        `${path('1.0.0')}/steps?type=kickoff&x=a%20b`,
        `${path('1.2')}/steps?type=kickoff&x=a%20b`,
      ],
      ['PUT', `${path('1.0.0')}?dry=1`, `${path('1.2')}?dry=1`],
      ['PUT', `${path('1.0.0')}/kickoff`, `${path('1.2')}/kickoff`],
      ['DELETE', path('1.0.0'), path('1.2')],
    ]
    for (const [method, from, to] of cases) {
      const json = method === 'PUT' ? { releaseName: 'Lost' } : undefined
      const { status, headers, text } = await admin.send(method, from, { json })
      assert.equal(status, 308, `${method} ${from}`)
      assert.equal(headers.location, to)
      assert.equal(text, '')
    }
    const after = await admin.get(`/v2/app/${app}/releases/${app}:1.2`)
    assert.equal(after.headers.etag, present.headers.etag)
    assert.equal((await admin.get(`/v2/app/${app}/releases`)).body.data.length, 1)
  })

  test('200 another spelling of the version is stored, and both ids work', async ({ assert }) => {
    const { admin, app, path, timeline, world } = await makeTrain(['1.2'])
    const { status, body } = await admin.put(path('1.2'), { version: '1.2.0' })
    assert.deepEqual([status, body.id, body.version], [200, `${app}:1.2.0`, '1.2.0'])
    const [entry] = (await timeline('1.2.0')).filter(({ type }) => type === 'release.updated')
    assert.deepEqual(entry.data, { from: { version: '1.2' }, to: { version: '1.2.0' } })
    for (const version of ['1.2', '1.2.0']) {
      const found = await admin.get(`/v2/app/${app}/releases/${app}:${version}`)
      assert.deepEqual([found.status, found.body.id], [200, `${app}:1.2.0`])
    }
    const count = (await world.events()).length
    assert.equal(
      (await admin.put(path('1.2'), { version: '1.2.0' })).body.updatedAt,
      body.updatedAt
    )
    assert.lengthOf(await world.events(), count)
  })

  test('200 former ids redirect after several changes, until a new release takes one over', async ({
    assert,
  }) => {
    const { admin, app, path } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0'), { version: '2.0.0' })
    await admin.put(path('2.0.0'), { version: '3.0.0' })
    const whereIs = async (version: string) => {
      const { status, headers } = await admin.get(`/v2/app/${app}/releases/${app}:${version}`)
      return headers.location?.split(':')[1] ?? status
    }
    assert.deepEqual([await whereIs('1.0.0'), await whereIs('2.0.0')], ['3.0.0', '3.0.0'])
    await admin.put(path('3.0.0'), { version: '1.0.0' })
    assert.equal(await whereIs('1.0.0'), 200)
    assert.deepEqual([await whereIs('2.0.0'), await whereIs('3.0.0')], ['1.0.0', '1.0.0'])
    assert.equal((await admin.post(`/app/${app}/release`, { version: '2.0' })).status, 201)
    assert.equal(await whereIs('2.0.0'), 200)
    await admin.delete(path('2.0.0'))
    assert.equal(await whereIs('2.0.0'), 404)
    await admin.delete(path('1.0.0'))
    assert.deepEqual([await whereIs('1.0.0'), await whereIs('3.0.0')], [404, 404])
  })

  test('200 repeating a change of version with its Idempotency-Key returns the same answer', async ({
    assert,
  }) => {
    const { world, admin, path, timeline } = await makeTrain(['1.0.0'])
    const repeat = () =>
      admin.put(path('1.0.0'), { version: '2.0.0' }, { headers: { 'idempotency-key': 'move-1' } })
    const [first, again] = [await repeat(), await repeat()]
    assert.deepEqual([first.status, again.status], [200, 200])
    assert.equal(again.text, first.text)
    assert.equal(again.headers.etag, first.headers.etag)
    assert.equal(again.headers['content-location'], first.headers['content-location'])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.lengthOf(await timeline('2.0.0'), 2)
    assert.lengthOf(await reported(world), 1)
  })

  test('200 a change of version derives the type again', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0', '1.1.0'])
    const { body } = await admin.put(path('1.1.0'), { version: '1.0.1' })
    assert.equal(body.releaseType, 'point')
    assert.equal((await admin.put(path('1.0.1'), { version: '2.0.0' })).body.releaseType, 'major')
  })

  test('200 a release is not its own predecessor', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0', '1.1.0'])
    const moved = await admin.put(path('1.1.0'), { version: '1.1.1' })
    assert.equal(moved.body.releaseType, 'minor')
    const lone = await makeTrain(['1.4.0'])
    const { body } = await lone.admin.put(lone.path('1.4.0'), { version: '1.5.0' })
    assert.equal(body.releaseType, 'major')
  })

  test('200 a change of kind applies its workflow and changes the place on the train', async ({
    assert,
  }) => {
    const train = await makeTrain(['0.9.0', '1.0.0', '1.1.0', '1.2.0'])
    const { admin, path, detail, statuses } = train
    await admin.put(`${path('0.9.0')}/kickoff`)
    await admin.put(`${path('0.9.0')}/complete`)
    const stepsOf = async (version: string) =>
      (await detail(version)).steps.map((step: { type: string }) => step.type)
    assert.include(await stepsOf('1.1.0'), 'screenshots')
    const made = await admin.put(path('1.1.0'), { releaseType: 'hotfix' })
    assert.equal(made.status, 200)
    assert.containsSubset(made.body, { releaseType: 'hotfix', status: 'active' })
    assert.deepEqual(await stepsOf('1.1.0'), [
      'kickoff',
      'regressionTesting',
      'approvals',
      'submission',
    ])
    const before = { '0.9.0': 'completed', '1.0.0': 'active', '1.1.0': 'active' }
    assert.deepEqual(await statuses(), { ...before, '1.2.0': 'upcoming' })
    await admin.put(path('1.0.0'), { releaseType: 'hotfix' })
    assert.deepEqual(await statuses(), { ...before, '1.2.0': 'active' })
    const back = await admin.put(path('1.1.0'), { releaseType: 'release' })
    assert.containsSubset(back.body, {
      releaseType: 'minor',
      status: 'upcoming',
      baseTag: null,
      rollback: null,
    })
    assert.include(await stepsOf('1.1.0'), 'screenshots')
  })

  test('200 ignores read-only and unknown members', async ({ assert }) => {
    const { admin, app, path, detail } = await makeTrain(['1.0.0'])
    const before = await detail('1.0.0')
    const { status, body } = await admin.put(path('1.0.0'), {
      id: 'other:2.0.0',
      status: 'completed',
      phase: 'released',
      orgId: 'org_other',
      organizationId: 'org_other',
      appId: 'other',
      kickedOffAt: KICKOFF,
      completedAt: KICKOFF,
      readyToSubmit: true,
      createdBy: { type: 'system', id: null, name: 'me' },
      customMetadata: { entries: [{ key: 'a', value: 1 }] },
      createdAt: KICKOFF,
      __proto__: { status: 'completed' },
    })
    assert.equal(status, 200)
    assert.equal(body.id, `${app}:1.0.0`)
    assert.deepEqual(await detail('1.0.0'), before)
  })

  test('200 a request without changes writes nothing and fires no event', async ({ assert }) => {
    const { world, admin, app, path, detail, timeline } = await makeTrain()
    const ada = await makeUser(world, 'ada@acme.example')
    const input = {
      version: '1.2.0',
      releaseName: 'Winter',
      releaseDescription: 'Snow',
      releasePilotId: ada,
      targetKickoffAt: KICKOFF,
      targetReleaseAt: RELEASE,
    }
    await admin.post(`/app/${app}/release`, input)
    const before = await detail('1.2.0')
    for (const same of [
      {},
      input,
      { version: '1.2.0', releaseType: 'release' },
      { releasePilotId: 'ADA@acme.example' },
      { targetKickoffAt: '2026-12-01T04:00:00-05:00', targetSubmitAt: null },
    ]) {
      assert.equal((await admin.put(path('1.2.0'), same)).status, 200)
    }
    assert.deepEqual(await detail('1.2.0'), before)
    assert.deepEqual(typesOf(await reported(world)), ['release.created'])
    assert.lengthOf(await timeline('1.2.0'), 1)
  })

  test('200 records one event per kind of change, with the old values', async ({ assert }) => {
    const { world, admin, app, path, timeline } = await makeTrain()
    const ada = await makeUser(world, 'ada@acme.example')
    const grace = await makeUser(world, 'grace@acme.example')
    await admin.post(`/app/${app}/release`, {
      version: '1.0.0',
      releasePilotId: ada,
      targetKickoffAt: KICKOFF,
    })
    await admin.put(path('1.0.0'), {
      releaseName: 'Winter',
      releasePilotId: grace,
      targetKickoffAt: SUBMIT,
      targetReleaseAt: RELEASE,
    })
    const events = (await reported(world)).slice(1)
    assert.deepEqual(typesOf(events), ['release.targetDateUpdated', 'release.pilotChanged'])
    assert.containsSubset(events[0].payload, {
      release: { targetKickoffAt: SUBMIT, targetReleaseAt: RELEASE, releaseName: 'Winter' },
    })
    assert.deepEqual(events[0].payload.previous, {
      targetKickoffAt: KICKOFF,
      targetReleaseAt: null,
    })
    assert.containsSubset(events[1].payload, {
      release: { releasePilotId: grace },
      previous: { releasePilotId: ada, releasePilot: { email: 'ada@acme.example' } },
    })
    assert.deepEqual(typesOf(await timeline('1.0.0')), [
      'release.pilotChanged',
      'release.targetDateUpdated',
      'release.updated',
      'release.created',
    ])
  })

  test('200 changes the description of a completed or skipped release', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    await admin.put(path('1.0.0') + '/complete')
    await admin.put(path('1.1.0') + '/skip')
    for (const version of ['1.0.0', '1.1.0']) {
      const { status, body } = await admin.put(path(version), { releaseDescription: 'Notes' })
      assert.equal(status, 200)
      assert.equal(body.releaseDescription, 'Notes')
    }
  })
})

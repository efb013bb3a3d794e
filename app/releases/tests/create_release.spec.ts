import { test } from '@japa/runner'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { makeTrain } from './helpers/release_world.js'

test.group('POST /app/{appId}/release', () => {
  test('201 drafts a release with its copy of the workflow', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { status, body, headers } = await world.admin.post(`/app/${app}/release`, {
      version: '1.4',
      releaseName: 'Winter',
      targetKickoffAt: '2026-12-01T10:00:00+01:00',
      targetReleaseAt: '2026-12-05T00:00:00Z',
      customMetadata: {
        entries: [
          { key: 'qaLead', value: 'Grace' },
          { key: 'builds', value: 3 },
        ],
      },
    })
    assert.equal(status, 201)
    assert.equal(headers.location, `/v2/app/${app}/releases/${app}:1.4`)
    assert.containsSubset(body, {
      id: `${app}:1.4`,
      status: 'active',
      phase: 'upcoming',
      releaseType: 'major',
      targetKickoffAt: '2026-12-01T09:00:00.000Z',
      regressionStatus: 'notStarted',
      readyToSubmit: false,
    })
    const detail = await world.admin.get(`/v2/app/${app}/releases/${app}:1.4.0`)
    assert.deepEqual(
      detail.body.steps.map((step: { type: string; status: string }) => [step.type, step.status]),
      [
        ['kickoff', 'notStarted'],
        ['regressionTesting', 'notStarted'],
        ['screenshots', 'notStarted'],
        ['approvals', 'notStarted'],
        ['submission', 'notStarted'],
      ]
    )
    assert.deepEqual(detail.body.customMetadata.entries[1], { key: 'builds', value: 3 })
    const events = await world.events()
    assert.deepEqual(
      events.map(({ type, sequence }) => [type, sequence]),
      [['release.created', 1]]
    )
    assert.containsSubset(events[0].payload, {
      eventType: 'release.created',
      sequence: 1,
      org: { id: world.organizationId },
      app: { id: app, platform: 'ios' },
      release: { id: `${app}:1.4` },
    })
  })

  test('201 derives the type from the previous version, and queues behind the active one', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const create = async (version: string) =>
      (await world.admin.post(`/app/${app}/release`, { version })).body
    assert.containsSubset(await create('2.0.0'), { releaseType: 'major', status: 'active' })
    assert.containsSubset(await create('2.1.0'), { releaseType: 'minor', status: 'upcoming' })
    assert.containsSubset(await create('2.1.1'), { releaseType: 'point', status: 'upcoming' })
    assert.containsSubset(await create('3'), { releaseType: 'major', status: 'upcoming' })
    assert.containsSubset(await create('2.0.5'), { releaseType: 'point', status: 'upcoming' })
  })

  test('201 assigns pilots in rotation, unless one is named', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const ada = await makeUser(world, 'ada@acme.example', ['Release Pilots'])
    const grace = await makeUser(world, 'grace@acme.example', ['Release Pilots'])
    const linus = await makeUser(world, 'linus@acme.example')
    const pilots: (string | null)[] = []
    for (const [version, releasePilotId] of [
      ['1.0.0'],
      ['1.1.0'],
      ['1.2.0', 'LINUS@acme.example'],
      ['1.3.0'],
    ]) {
      const { body } = await world.admin.post(`/app/${app}/release`, { version, releasePilotId })
      pilots.push(body.releasePilotId)
    }
    assert.lengthOf(new Set(pilots), 3)
    assert.includeMembers([ada, grace], [pilots[0], pilots[1]])
    assert.equal(pilots[2], linus)
    assert.equal(pilots[3], pilots[0])
  })

  test('201 a hotfix runs beside the train and starts from the live tag', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world, { tagPattern: 'v{version}' })
    await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const named = await world.admin.post(`/app/${app}/release`, {
      version: '1.0.1',
      releaseType: 'hotfix',
      baseTag: { name: 'v1.0.0', commitHash: 'abcdef1' },
    })
    assert.equal(named.status, 201)
    assert.containsSubset(named.body, {
      status: 'active',
      releaseType: 'hotfix',
      baseTag: { name: 'v1.0.0', commitHash: 'abcdef1' },
    })
    const below = await world.admin.post(`/app/${app}/release`, {
      version: '0.9.9',
      releaseType: 'hotfix',
      baseTag: { name: 'v1.0.0' },
    })
    assert.equal(below.status, 422)
    assert.equal(below.body.errors[0].code, 'above_base')
  })

  test('201 or 422 depending on the only dotted version in the name of the base tag', async ({
    assert,
  }) => {
    const { admin, app } = await makeTrain()
    const cases: [string, string, number][] = [
      ['release-2026-05/v1.4.0', '1.4.1', 201],
      ['release-2026-05/v1.4.0', '1.3.9', 422],
      ['build-1-of-v2.0.0', '1.0.1', 422],
      ['v3.1-rc.4', '3.0.9', 422],
      ['build-5000', '1.0.2', 201],
      ['2026.05/v9.4.0', '1.0.3', 201],
      ['v9.1.2.3', '1.0.4', 201],
    ]
    for (const [name, version, expected] of cases) {
      const hotfix = { version, releaseType: 'hotfix', baseTag: { name } }
      const { status } = await admin.post(`/app/${app}/release`, hotfix)
      assert.equal(status, expected, name)
    }
  })

  test('201 a hotfix without a tag starts from the highest completed version', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world, { tagPattern: 'v{version}' })
    for (const version of ['1.9.0', '1.10.0']) {
      await world.admin.post(`/app/${app}/release`, { version })
      await world.admin.put(`/app/${app}/release/${app}:${version}/kickoff`)
      await world.admin.put(`/app/${app}/release/${app}:${version}/complete`)
    }
    const hotfix = { version: '1.10.1', releaseType: 'hotfix' }
    const made = await world.admin.post(`/app/${app}/release`, hotfix)
    assert.equal(made.status, 201)
    assert.deepEqual(made.body.baseTag, { name: 'v1.10.0', commitHash: null })
    const below = await world.admin.post(`/app/${app}/release`, { ...hotfix, version: '1.9.1' })
    assert.equal(below.status, 422)
  })

  test('201 a rollback names its source and target', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    for (const version of ['1.0.0', '1.1.0']) {
      await world.admin.post(`/app/${app}/release`, { version })
    }
    const rollback = (version: string, sourceVersion: string, targetVersion: string) =>
      world.admin.post(`/app/${app}/release`, {
        version,
        releaseType: 'rollback',
        rollback: { sourceVersion, targetVersion },
      })
    const made = await rollback('1.1.1', '1.0.0', '1.1.0')
    assert.equal(made.status, 201)
    assert.equal(made.body.releaseType, 'rollback')
    const detail = await world.admin.get(`/v2/app/${app}/releases/${app}:1.1.1`)
    assert.deepEqual(
      detail.body.steps.map((step: { type: string }) => step.type),
      ['kickoff', 'approvals', 'submission']
    )
    assert.equal((await rollback('1.1.2', '1.1.0', '1.0.0')).status, 422)
    assert.equal((await rollback('1.1.2', '1.0.0', '9.0.0')).status, 422)
    assert.equal((await rollback('1.0.5', '1.0.0', '1.1.0')).status, 422)
  })

  test('403 names the missing action; a plain release and a hotfix need different ones', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const qa = await world.keyed({ groups: ['QA'] })
    const managers = await world.keyed({ groups: ['Product Managers'] })
    const refused = await qa.post(`/app/${app}/release`, { version: '1.0.0' })
    assert.equal(refused.status, 403)
    assert.include(refused.body.detail, 'CreateDeleteRelease')
    assert.equal((await managers.post(`/app/${app}/release`, { version: '1.0.0' })).status, 201)
    const hotfix = await managers.post(`/app/${app}/release`, {
      version: '1.0.1',
      releaseType: 'hotfix',
      baseTag: { name: '1.0.0' },
    })
    assert.equal(hotfix.status, 403)
    assert.include(hotfix.body.detail, 'CreateHotfix')
    assert.lengthOf(await world.events(), 1)
  })

  test('409 for a taken version, in any spelling', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    await world.admin.post(`/app/${app}/release`, { version: '1.2' })
    const again = await world.admin.post(`/app/${app}/release`, { version: '1.2.0' })
    assert.equal(again.status, 409)
    assert.equal(again.body.code, 'version_taken')
    assert.lengthOf(await world.events(), 1)
  })

  test('409 for a branch without version control', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const response = await world.admin.post(`/app/${app}/release`, {
      version: '1.0.0',
      createBranch: true,
    })
    assert.equal(response.status, 409)
    assert.equal(response.body.code, 'integration_missing')
  })

  test('422 for broken input {$i}')
    .with([
      [{}, '/version'],
      [{ version: '1.x' }, '/version'],
      [{ version: '1.2.3.4' }, '/version'],
      [{ version: 12 }, '/version'],
      [{ version: '1.0.0', releaseType: 'minor' }, '/releaseType'],
      [{ version: '1.0.0', targetSubmitAt: 'tomorrow' }, '/targetSubmitAt'],
      [{ version: '1.0.0', targetSubmitAt: '2026-02-30T00:00:00Z' }, '/targetSubmitAt'],
      [
        {
          version: '1.0.0',
          targetKickoffAt: '2026-12-02T00:00:00Z',
          targetReleaseAt: '2026-12-01T00:00:00Z',
        },
        '/targetReleaseAt',
      ],
      [{ version: '1.0.0', baseTag: { name: 'v1' } }, '/baseTag'],
      [{ version: '1.0.0', cherryPickCommits: ['abcdef1'] }, '/cherryPickCommits'],
      [{ version: '1.0.0', rollback: { sourceVersion: '1', targetVersion: '2' } }, '/rollback'],
      [{ version: '1.0.0', releaseType: 'rollback' }, '/rollback'],
      [{ version: '1.0.0', releaseType: 'hotfix' }, '/baseTag'],
      [{ version: '1.0.0', releasePilotId: 'nobody@acme.example' }, '/releasePilotId'],
      [{ version: '1.0.0', releaseName: 'x'.repeat(201) }, '/releaseName'],
      [
        {
          version: '1.0.0',
          customMetadata: { entries: [{ key: 'a', value: { deep: 1 } }] },
        },
        '/customMetadata/entries/0/value',
      ],
      [
        {
          version: '1.0.0',
          customMetadata: {
            entries: [
              { key: 'a', value: 1 },
              { key: 'a', value: 2 },
            ],
          },
        },
        '/customMetadata/entries/1/key',
      ],
    ] as [object, string][])
    .run(async ({ assert }, [input, pointer]) => {
      const world = await makeWorld()
      const app = await makeApp(world)
      const { status, body } = await world.admin.post(`/app/${app}/release`, input)
      assert.equal(status, 422)
      assert.equal(body.errors[0].pointer, pointer)
      assert.lengthOf(await world.events(), 0)
      assert.lengthOf((await world.admin.get(`/v2/app/${app}/releases`)).body.data, 0)
    })
})

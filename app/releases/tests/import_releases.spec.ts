import { test } from '@japa/runner'
import fc from 'fast-check'
import db from '@adonisjs/lucid/services/db'
import { clock } from '#foundation/core/services'
import type { Api } from '#tests/support/api'
import { makeTrain } from './helpers/release_world.js'
import { mergedFacts } from '../actions/import_releases.js'
import { MAX_TABLE_ROWS } from '../past_releases/columns.js'
import { snapshot } from '#tests/support/snapshot'

const send = (api: Api, app: string, raw: string | Buffer, query = '') =>
  api.post(`/app/${app}/releases/import${query}`, undefined, {
    raw,
    headers: { 'content-type': 'text/csv' },
  })

const TABLE = `version,releaseName,kickedOffAt,submittedAt,approvedAt,releasedAt,targetReleaseAt
4.1.0,"Autumn, at last",2025-09-19,2025-09-22T08:30:00+02:00,2025-09-23T06:30Z,2025-09-27 09:00 +0100,2025-09-28
4.0.0,,2025-08-21,2025-08-24,,2025-08-29,
`

const listed = async (api: Api, app: string) =>
  (await api.get(`/v2/app/${app}/releases?limit=200`)).body.data as any[]

test.group('POST /app/{appId}/releases/import', () => {
  test('200 derives the type of a draft from the imported releases', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const { body: draft } = await admin.post(`/app/${app}/release`, { version: '4.2.0' })
    assert.equal(draft.releaseType, 'major')
    assert.equal((await send(admin, app, TABLE)).status, 200)
    const { body } = await admin.get(`/v2/app/${app}/releases/${draft.id}`)
    assert.equal(body.releaseType, 'minor')
  })

  test('200 creates completed releases that metrics count, without steps or events', async ({
    assert,
  }) => {
    const { admin, app, world } = await makeTrain()
    const before = (await world.events()).length
    const { status, body } = await send(admin, app, TABLE)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      ...{ made: 2, merged: 0, unchanged: 0, ignoredColumns: [] },
      releases: [
        { version: '4.1.0', outcome: 'made' },
        { version: '4.0.0', outcome: 'made' },
      ],
    })
    const [newest, first] = await listed(admin, app)
    assert.containsSubset(newest, {
      ...{ version: '4.1.0', releaseName: 'Autumn, at last', status: 'completed' },
      ...{ phase: 'released', imported: true, releaseType: 'minor' },
      kickedOffAt: '2025-09-19T00:00:00.000Z',
      submittedAt: '2025-09-22T06:30:00.000Z',
      approvedAt: '2025-09-23T06:30:00.000Z',
      releasedAt: '2025-09-27T08:00:00.000Z',
      completedAt: '2025-09-27T08:00:00.000Z',
      targetReleaseAt: '2025-09-28T00:00:00.000Z',
    })
    assert.containsSubset(first, { version: '4.0.0', releaseType: 'major', approvedAt: null })
    assert.lengthOf((await world.events()).slice(before), 0)
    const steps = await admin.get(`/app/${app}/release/${app}:4.1.0/steps`)
    assert.deepEqual(steps.body, [])
    const period = '?from=2025-08-01T00:00:00Z&to=2025-10-01T00:00:00Z'
    const metrics = await admin.get(`/org/${world.organizationId}/metrics${period}`)
    const valueOf = (key: string) =>
      metrics.body.metrics.find((each: { key: string }) => each.key === key).value
    assert.equal(valueOf('releasesCompleted'), 2)
    assert.equal(valueOf('leadTimeKickoffToRelease'), 8.17)
    assert.equal(valueOf('timeInReview'), 24)
    assert.equal(valueOf('onTimeReleases'), 100)
    assert.equal(valueOf('releaseCadence'), 29.33)
    // The next release is compared with the last of those.
    const { body: next } = await admin.post(`/app/${app}/release`, { version: '4.1.1' })
    assert.equal(next.releaseType, 'point')
  })

  test('200 repeating an import changes nothing, and another table adds facts', async ({
    assert,
  }) => {
    const { admin, app, world } = await makeTrain(['4.0.0'])
    await send(admin, app, TABLE)
    const before = await snapshot([world.organizationId])
    const again = await send(admin, app, TABLE)
    assert.containsSubset(again.body, { made: 0, merged: 0, unchanged: 2 })
    assert.deepEqual(await snapshot([world.organizationId]), before)
    // A release of the service's own stays as it is.
    assert.containsSubset((await listed(admin, app))[1], { imported: false, status: 'active' })
    const more = 'Version;Released at;release_type;Pilot\n4.1;2025-09-27;Hotfix;Ada\n'
    const { body } = await send(admin, app, more)
    assert.deepEqual([body.merged, body.ignoredColumns], [1, ['Pilot']])
    const [merged] = await listed(admin, app)
    assert.containsSubset(merged, {
      ...{ releaseName: 'Autumn, at last', releaseType: 'hotfix' },
      ...{ releasedAt: '2025-09-27T00:00:00.000Z', kickedOffAt: '2025-09-19T00:00:00.000Z' },
    })
    const audit = await db
      .from('audit_entries')
      .where({ organization_id: world.organizationId, action: 'releases.imported' })
      .orderBy('created_at')
    assert.deepEqual(
      audit.map(({ data }) => JSON.parse(data)),
      [
        { made: 1, merged: 0 },
        { made: 0, merged: 1 },
      ]
    )
  })

  test('200 a dry run returns the same answer, and writes nothing', async ({ assert }) => {
    const { admin, app, world } = await makeTrain()
    await send(admin, app, 'version,releasedAt\n4.0.0,2025-08-29\n')
    const before = await snapshot([world.organizationId])
    const dry = await send(admin, app, TABLE, '?dryRun=true')
    assert.deepEqual(await snapshot([world.organizationId]), before)
    const { status, body } = await send(admin, app, TABLE)
    assert.deepEqual([status, dry.body], [200, body])
    assert.deepEqual([body.made, body.merged], [1, 1])
  })

  test('200 accepts the CSV dialects of spreadsheets', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const written = [
      '\ufeff"Version";"Release name";"Released at"\r\n"v1.0";"A ""quoted"" name; with it";2024-01-01\r\n;;\r\n\r\n',
      'VERSION\treleased_at\treleaseName\n1.1\t2024-02-01\tTabs\t\n',
      'version,releaseName,releasedAt\r2,"=HYPERLINK(""x"")",2024-03-01\r',
      'version,releaseName,releasedAt\n2.0.1,"Two\nlines",2024-04-01T00:00:00.5-02:30',
    ]
    for (const each of written) {
      const { status, text } = await send(admin, app, each)
      assert.equal(status, 200, text)
    }
    const found = (await listed(admin, app)).map((each) => [each.version, each.releaseName])
    assert.deepEqual(found, [
      ['2.0.1', 'Two lines'],
      ['2.0.0', '=HYPERLINK("x")'],
      ['1.1.0', 'Tabs'],
      ['1.0.0', 'A "quoted" name; with it'],
    ])
  })

  test('422 lists every fault by line and column, and nothing is written', async ({ assert }) => {
    const { admin, app, world } = await makeTrain()
    const before = await snapshot([world.organizationId])
    const table = `releaseName,version,releasedAt,kickedOffAt,releaseType
"Two
lines",1.0.0,2025-01-01,2025-02-01,
ok,1.1.0,2025-02-30,,
ok,1.0,01/02/2025,2025-01-01T10:00,rollback
ok,4.2.0 (4788),,,
ok,1.3.0,2099-01-01,,,surplus
`
    const { status, body } = await send(admin, app, table)
    assert.deepEqual([status, body.code], [422, 'invalid_input'])
    assert.deepEqual(
      body.errors.map(({ line, column, code }: Record<string, unknown>) => [line, column, code]),
      [
        [2, 3, 'order'],
        [4, 3, 'date'],
        [5, 2, 'twice'],
        [5, 3, 'date'],
        [5, 4, 'date'],
        [5, 5, 'type'],
        [6, 2, 'version'],
        [6, 3, 'required'],
        [7, 3, 'future'],
        [7, 6, 'cells'],
      ]
    )
    assert.include(body.errors[2].message, '1.0.0 is already in line 2')
    assert.deepEqual(await snapshot([world.organizationId]), before)
  })

  test('422 names a fault of the whole table', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const many = Array.from({ length: MAX_TABLE_ROWS + 1 }, (_, row) => `1.${row},2024-01-01`)
    for (const [raw, line, code] of [
      ['', 1, 'no_release'],
      ['version,releasedAt\n\n', 1, 'no_release'],
      ['version,name\n1.0,x\n', 1, 'missing_column'],
      ['version,releasedAt,Version\n1.0,2024-01-01,1.0\n', 1, 'twice'],
      ['version,releasedAt\n1.0,"2024-01-01\n', 2, 'quotes'],
      ['version,releasedAt\n1.0,"2024"-01\n', 2, 'quotes'],
      ['version,releasedAt\n1.0,20"24\n', 2, 'quotes'],
      [
        Buffer.from('version,releasedAt,name\n1.0,2024-01-01,Fr\xfchling\n', 'latin1'),
        1,
        'encoding',
      ],
      [Buffer.from('version,releasedAt\n', 'utf16le'), 1, 'missing_column'],
      [`version,releasedAt\n${many.join('\n')}`, MAX_TABLE_ROWS + 2, 'too_many'],
      [`version,releasedAt\n${'\n'.repeat(200_000)}`, 4 * MAX_TABLE_ROWS, 'too_many'],
      [`version,releasedAt${','.repeat(100)}\n1.0,2024-01-01\n`, 1, 'too_many'],
      [`version,releasedAt,releaseName\n1.0,2024-01-01,${'x'.repeat(201)}\n`, 2, 'maxLength'],
      ['version,releasedAt,releaseName\n1.0,2024-01-01,a\u0000b\n', 2, 'characters'],
    ] as const) {
      const { status, body } = await send(admin, app, raw)
      assert.equal(status, 422, String(raw).slice(0, 60))
      assert.containsSubset(body.errors[0], { line, code })
    }
    const large = await send(admin, app, 'x'.repeat(256 * 1024 + 1))
    assert.equal(large.status, 413)
    const json = { headers: { 'content-type': 'application/json' }, raw: '{}' }
    assert.equal((await admin.post(`/app/${app}/releases/import`, undefined, json)).status, 415)
  })

  test('403 without the action, 404 for an app of another organization', async ({ assert }) => {
    const { world, app } = await makeTrain()
    const reader = await world.keyed()
    assert.equal((await send(reader, app, TABLE)).status, 403)
    const other = await makeTrain()
    assert.equal((await send(other.admin, app, TABLE)).status, 404)
    assert.deepEqual(await listed(world.admin, app), [])
  })

  test('merging the same facts twice changes nothing', ({ assert }) => {
    const now = clock.now()
    const instant = fc.option(fc.constantFrom(now, '2025-01-01T00:00:00.000Z'))
    const dates = {
      ...{ kickedOffAt: instant, submittedAt: instant, approvedAt: instant },
      ...{ targetSubmitAt: instant, targetReleaseAt: instant, releasedAt: instant },
    }
    const name = fc.option(fc.constantFrom('Winter', 'Summer'))
    const tag = fc.option(
      fc.record({
        ...{ name: fc.constant('v1'), commitHash: fc.constant('9c1f4b7e'), url: fc.constant(null) },
        ...{ version: fc.constant('1.0.0'), createdAt: fc.constant(now) },
      })
    )
    const past = fc.record({
      ...dates,
      ...{ tag, releaseName: name, version: fc.constant({ major: 1, minor: 0, patch: 0 }) },
      releaseType: fc.option(fc.constantFrom('minor' as const, 'hotfix' as const)),
    })
    const known = fc
      .record({ ...dates, tag, releaseName: name })
      .map((each) => ({ ...each, completedAt: each.releasedAt }))
    fc.assert(
      fc.property(known, past, (before, given) => {
        const once = mergedFacts(before, given)
        assert.deepEqual(mergedFacts(once, given), once)
        for (const [member, value] of Object.entries(before)) {
          if (value !== null) assert.isNotNull(once[member as keyof typeof once], member)
        }
      })
    )
  })
})

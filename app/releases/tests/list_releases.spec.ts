import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { makeTrain } from './helpers/release_world.js'

const versionsOf = (body: { data: { version: string }[] }) => body.data.map((each) => each.version)

test.group('GET /v2/app/{appId}/releases', () => {
  test('200 lists the newest version first, with 1.10.0 before 1.9.0', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.9.0', '1.10.0', '1.9.10', '0.99', '2'])
    const { status, body, headers } = await admin.get(`/v2/app/${app}/releases`)
    assert.equal(status, 200)
    assert.deepEqual(versionsOf(body), ['2', '1.10.0', '1.9.10', '1.9.0', '0.99'])
    assert.deepEqual(body.pagination, { limit: 50, hasMore: false, nextCursor: null })
    assert.notProperty(headers, 'link')
  })

  test('200 an app without releases is an empty page', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    assert.deepEqual((await admin.get(`/v2/app/${app}/releases`)).body, {
      data: [],
      pagination: { limit: 50, hasMore: false, nextCursor: null },
    })
  })

  test('200 pages neither repeat nor skip a row while others are added and deleted', async ({
    assert,
  }) => {
    const there = Array.from({ length: 9 }, (_, index) => `1.${index}.0`)
    const { admin, app, path } = await makeTrain(there)
    const seen: string[] = []
    let url = `/v2/app/${app}/releases?limit=2`
    let round = 0
    while (url) {
      const { body, headers } = await admin.get(url)
      seen.push(...versionsOf(body))
      assert.equal(body.pagination.limit, 2)
      assert.equal(body.pagination.hasMore, 'link' in headers)
      const next = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? ''
      if (next) assert.include(next, encodeURIComponent(body.pagination.nextCursor))
      url = next
      // Delete the row that the cursor refers to, and add rows on both sides of it.
      if (round === 0) await admin.delete(path(seen.at(-1)!))
      await admin.post(`/app/${app}/release`, { version: `9.${round}.0` })
      await admin.post(`/app/${app}/release`, { version: `0.0.${round + 1}` })
      if (++round > 12) break
    }
    assert.lengthOf(new Set(seen), seen.length)
    assert.deepEqual(
      seen.filter((version) => there.includes(version)),
      [...there].reverse()
    )
    assert.notInclude(seen, '9.0.0')
  })

  test('200 contains custom metadata only on request', async ({ assert }) => {
    const { admin, app, path } = await makeTrain(['1.0.0', '1.1.0'])
    const entries = [{ key: 'ticket', value: 'REL-7' }]
    await admin.put(`${path('1.0.0')}/metadata`, { entries })
    const plain = await admin.get(`/v2/app/${app}/releases`)
    for (const release of plain.body.data) assert.notProperty(release, 'customMetadata')
    const whole = await admin.get(`/v2/app/${app}/releases?include=customMetadata`)
    assert.deepEqual(
      whole.body.data.map((release: { customMetadata: unknown }) => release.customMetadata),
      [null, { entries }]
    )
    const { status, body } = await admin.get(`/v2/app/${app}/releases?include=steps`)
    assert.equal(status, 422)
    assert.equal(body.errors[0].parameter, 'include')
  })

  test('200 a page ends early when it is large, and no release is left out', async ({ assert }) => {
    const versions = Array.from({ length: 7 }, (_, index) => `1.${index}.0`)
    const { admin, app, path } = await makeTrain(versions)
    const entries = Array.from({ length: 100 }, (_, index) => ({
      key: `note ${index}`,
      value: 'x'.repeat(10_000),
    }))
    for (const version of versions) {
      assert.equal((await admin.put(`${path(version)}/metadata`, { entries })).status, 200)
    }
    const seen: string[] = []
    let pages = 0
    let url = `/v2/app/${app}/releases?include=customMetadata`
    while (url) {
      const { body, headers } = await admin.get(url)
      assert.isBelow(JSON.stringify(body).length, 4.3 * 1024 * 1024)
      seen.push(...versionsOf(body))
      pages += 1
      url = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? ''
    }
    assert.deepEqual(seen, [...versions].reverse())
    assert.equal(pages, 2)
  })

  test('200 filters by status, type, version and creation time, on every page', async ({
    assert,
  }) => {
    const { admin, app, path, detail } = await makeTrain(['1.0.0', '1.1.0', '1.1.1', '2.0.0'])
    await admin.put(path('1.0.0') + '/skip')
    await admin.put(path('1.1.0') + '/kickoff')
    await admin.post(`/app/${app}/release`, {
      version: '1.0.1',
      releaseType: 'hotfix',
      baseTag: { name: '1.0.0' },
    })
    const list = async (query: string) =>
      versionsOf((await admin.get(`/v2/app/${app}/releases?${query}`)).body)
    assert.deepEqual(await list('status=skipped'), ['1.0.0'])
    assert.deepEqual(await list('status=upcoming'), ['2.0.0', '1.1.1'])
    assert.deepEqual(await list('status=active'), ['1.1.0', '1.0.1'])
    assert.deepEqual(await list('status=completed'), [])
    assert.deepEqual(await list('releaseType=major'), ['2.0.0', '1.0.0'])
    assert.deepEqual(await list('releaseType=minor'), ['1.1.0'])
    assert.deepEqual(await list('releaseType=point&status=upcoming'), ['1.1.1'])
    assert.deepEqual(await list('releaseType=hotfix'), ['1.0.1'])
    assert.deepEqual(await list('releaseType=rollback'), [])
    assert.deepEqual(await list('version=1.1'), ['1.1.0'])
    assert.deepEqual(await list('version=7'), [])

    const { createdAt } = await detail('1.1.1')
    const older = await list(`createdBefore=${createdAt}`)
    const newer = await list(`createdAfter=${createdAt}`)
    assert.notInclude([...older, ...newer], '1.1.1')
    assert.include(older, '1.0.0')
    assert.include(newer, '1.0.1')
    const inParis = later(createdAt, 3_600_000).replace('Z', '+01:00')
    assert.deepEqual(await list(`createdBefore=${encodeURIComponent(inParis)}`), older)

    const first = await admin.get(`/v2/app/${app}/releases?status=upcoming&limit=1`)
    const next = /^<(.+)>/.exec(first.headers.link)![1]
    assert.include(next, 'status=upcoming')
    assert.deepEqual(versionsOf((await admin.get(next)).body), ['1.1.1'])
  })

  test('200 a limit above 200 becomes 200', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    for (const limit of [201, 5000]) {
      const { body } = await admin.get(`/v2/app/${app}/releases?limit=${limit}`)
      assert.equal(body.pagination.limit, 200)
    }
  })

  test('200 a HEAD has the headers of a GET; If-None-Match gives 304', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const path = `/v2/app/${app}/releases`
    const full = await admin.get(path)
    const head = await admin.head(path)
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers.etag, full.headers.etag)
    const again = await admin.get(path, { headers: { 'if-none-match': full.headers.etag } })
    assert.equal(again.status, 304)
  })

  test('400 for {$self}')
    .with([
      'limit=ten',
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=1&limit=2',
      'cursor=nonsense',
      'version=1.x',
      'createdAfter=yesterday',
      'createdBefore=2026-13-01T00:00:00Z',
    ])
    .run(async ({ assert }, query) => {
      const { admin, app } = await makeTrain(['1.0.0'])
      const { status, body } = await admin.get(`/v2/app/${app}/releases?${query}`)
      assert.equal(status, 400)
      assert.equal(body.errors[0].parameter, query.split('=')[0])
    })

  test('400 for a cursor of another list, of other filters, or changed', async ({ assert }) => {
    const { world, admin, app } = await makeTrain(['1.0.0', '1.1.0', '1.2.0'])
    const other = await makeApp(world)
    const { body } = await admin.get(`/v2/app/${app}/releases?limit=1`)
    const { nextCursor } = body.pagination
    const at = Math.floor(nextCursor.length / 2)
    const changed =
      nextCursor.slice(0, at) + (nextCursor[at] === 'A' ? 'B' : 'A') + nextCursor.slice(at + 1)
    for (const url of [
      `/v2/app/${other}/releases?cursor=${nextCursor}`,
      `/v2/app/${app}/releases?cursor=${nextCursor}&status=upcoming`,
      `/v2/app/${app}/releases?cursor=${changed}`,
      `/app/${app}/release/${app}:1.0.0/timelineEvents?cursor=${nextCursor}`,
    ]) {
      const response = await admin.get(url)
      assert.equal(response.status, 400, url)
      assert.equal(response.body.code, 'invalid_cursor')
    }
    const larger = await admin.get(`/v2/app/${app}/releases?cursor=${nextCursor}&limit=50`)
    assert.deepEqual(versionsOf(larger.body), ['1.1.0', '1.0.0'])
  })

  test('404 for an app that is unknown, of another organization, or out of scope', async ({
    assert,
  }) => {
    const { world, admin, app } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    const other = await makeApp(world)
    const scoped = await world.keyed({ appIds: [other] })
    const responses = [
      await admin.get('/v2/app/nothing-ios/releases'),
      await admin.get(`/v2/app/${stranger.app}/releases`),
      await scoped.get(`/v2/app/${app}/releases`),
    ]
    for (const { status, body } of responses) {
      assert.equal(status, 404)
      assert.deepEqual(
        { ...body, requestId: '', instance: '' },
        { ...responses[0].body, requestId: '', instance: '' }
      )
    }
    assert.equal((await scoped.get(`/v2/app/${other}/releases`)).status, 200)
  })

  test('422 for an unknown value of a filter', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    for (const query of ['status=done', 'releaseType=release']) {
      const { status, body } = await admin.get(`/v2/app/${app}/releases?${query}`)
      assert.equal(status, 422, query)
      assert.equal(body.errors[0].parameter, query.split('=')[0])
    }
  })

  test('200 for a key without groups', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const reader = await world.keyed()
    assert.equal((await reader.get(`/v2/app/${app}/releases`)).status, 200)
  })
})

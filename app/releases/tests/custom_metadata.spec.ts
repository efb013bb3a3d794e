import { test } from '@japa/runner'
import { makeTrain, reported } from './helpers/release_world.js'

test.group('GET /app/{appId}/release/{releaseId}/metadata', () => {
  test('200 returns an empty set by default', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0'])
    const { status, body } = await admin.get(path('1.0.0') + '/metadata')
    assert.equal(status, 200)
    assert.deepEqual(body, { entries: [] })
  })

  test('404 for another organization', async ({ assert }) => {
    const { admin } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    assert.equal((await admin.get(stranger.path('1.0.0') + '/metadata')).status, 404)
    const put = await admin.put(stranger.path('1.0.0') + '/metadata', { entries: [] })
    assert.equal(put.status, 404)
  })
})

test.group('PUT /app/{appId}/release/{releaseId}/metadata', () => {
  test('200 replaces the set; null deletes its key; scalars keep their type and order', async ({
    assert,
  }) => {
    const { admin, path, detail } = await makeTrain(['1.0.0'])
    const url = path('1.0.0') + '/metadata'
    const entries = [
      { key: 'z', value: 'Grace' },
      { key: 'builds', value: 3 },
      { key: 'share', value: 0.25 },
      { key: 'live', value: false },
      { key: '__proto__', value: 'text' },
      { key: 'Ключ "quoted"', value: '\u{1F680}' },
      { key: 'empty', value: '' },
    ]
    const { status, body } = await admin.put(url, { entries })
    assert.equal(status, 200)
    assert.deepEqual(body, { entries })
    assert.deepEqual((await admin.get(url)).body, { entries })
    assert.deepEqual((await detail('1.0.0')).customMetadata, { entries })
    const fewer = await admin.put(url, {
      entries: [
        { key: 'builds', value: 4 },
        { key: 'live', value: null },
      ],
    })
    assert.deepEqual(fewer.body, { entries: [{ key: 'builds', value: 4 }] })
    assert.deepEqual((await admin.put(url, { entries: [] })).body, { entries: [] })
  })

  test('200 accepts 100 keys of 100 characters, and values of 10,000 characters', async ({
    assert,
  }) => {
    const { admin, path } = await makeTrain(['1.0.0'])
    const entries = Array.from({ length: 100 }, (_, index) => ({
      key: String(index).padStart(100, 'k'),
      value: index === 0 ? 'v'.repeat(10_000) : index,
    }))
    const { status, body } = await admin.put(path('1.0.0') + '/metadata', { entries })
    assert.equal(status, 200)
    assert.deepEqual(body, { entries })
  })

  test('200 records an entry without a webhook event, and changes nothing when repeated', async ({
    assert,
  }) => {
    const { world, admin, path, timeline, detail } = await makeTrain(['1.0.0'])
    const entries = [{ key: 'qaLead', value: 'Grace' }]
    await admin.put(path('1.0.0') + '/metadata', { entries })
    const before = await detail('1.0.0')
    await admin.put(path('1.0.0') + '/metadata', { entries })
    assert.deepEqual(await detail('1.0.0'), before)
    const [changed, created, ...rest] = await timeline('1.0.0')
    assert.containsSubset(changed, {
      type: 'metadata.updated',
      data: { kind: 'custom', keys: ['qaLead'] },
    })
    assert.equal(created.type, 'release.created')
    assert.isEmpty(rest)
    assert.lengthOf(await reported(world), 1)
  })

  test('412 for a lost race; the tag is that of the metadata', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0'])
    const url = path('1.0.0') + '/metadata'
    const { headers } = await admin.get(url)
    const guarded = (value: string) =>
      admin.put(url, { entries: [{ key: 'a', value }] }, { headers: { 'if-match': headers.etag } })
    const won = await guarded('1')
    assert.equal(won.status, 200)
    assert.equal(won.headers.etag, (await admin.get(url)).headers.etag)
    assert.equal((await guarded('2')).status, 412)
    assert.deepEqual((await admin.get(url)).body, { entries: [{ key: 'a', value: '1' }] })
  })

  test('403 names the missing action', async ({ assert }) => {
    const { world, path } = await makeTrain(['1.0.0'])
    const qa = await world.keyed({ groups: ['QA'] })
    const { status, body } = await qa.put(path('1.0.0') + '/metadata', { entries: [] })
    assert.equal(status, 403)
    assert.deepEqual(body.missingActions, ['EditRelease'])
  })

  test('422 for broken input {$i}')
    .with([
      [{}, '/entries'],
      [{ entries: {} }, '/entries'],
      [{ entries: [{ value: 1 }] }, '/entries/0/key'],
      [{ entries: [{ key: '', value: 1 }] }, '/entries/0/key'],
      [{ entries: [{ key: 7, value: 1 }] }, '/entries/0/key'],
      [{ entries: [{ key: 'k'.repeat(101), value: 1 }] }, '/entries/0/key'],
      [{ entries: [{ key: 'a', value: 'v'.repeat(10_001) }] }, '/entries/0/value'],
      [{ entries: [{ key: 'a', value: [1] }] }, '/entries/0/value'],
      [{ entries: [{ key: 'a', value: {} }] }, '/entries/0/value'],
      [{ entries: ['a'] }, '/entries/0'],
      [
        {
          entries: [
            { key: 'a', value: 1 },
            { key: 'a', value: null },
          ],
        },
        '/entries/1/key',
      ],
      [
        { entries: Array.from({ length: 101 }, (_, index) => ({ key: `k${index}`, value: 1 })) },
        '/entries',
      ],
    ] as [object, string][])
    .run(async ({ assert }, [input, pointer]) => {
      const { admin, path } = await makeTrain(['1.0.0'])
      const { status, body } = await admin.put(path('1.0.0') + '/metadata', input)
      assert.equal(status, 422)
      assert.equal(body.errors[0].pointer, pointer)
      assert.deepEqual((await admin.get(path('1.0.0') + '/metadata')).body, { entries: [] })
    })
})

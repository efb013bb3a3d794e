import { test } from '@japa/runner'
import { earlier } from '#foundation/core/clock'
import db from '@adonisjs/lucid/services/db'
import { onEveryDisk } from '#tests/support/disks'
import { CI_BUILD, makeBucket, sendFile, sha256, storedKeys } from './support.js'

test.group('GET /app/{appId}/bucket/{bucketId}/builds', () => {
  test('200 lists the newest first, in pages, filtered by status, branch and time', async ({
    assert,
  }) => {
    const { admin, path, upload } = await makeBucket()
    const ids: string[] = []
    for (const branch of ['main', 'main', 'release/1.4.0']) {
      const { body } = await upload({ data: { ciBuildInfo: { ...CI_BUILD, branch } } })
      ids.unshift(body.id)
    }
    const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)
    const seen: string[] = []
    let url = `${path}/builds?limit=2`
    while (url) {
      const { body, headers } = await admin.get(url)
      seen.push(...idsOf(body))
      url = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? ''
    }
    assert.sameMembers(seen, ids)
    assert.lengthOf(seen, 3)
    for (const branch of ['main', 'refs/heads/main']) {
      const { body } = await admin.get(`${path}/builds?branch=${branch}`)
      assert.sameMembers(idsOf(body), ids.slice(1))
    }
    await admin.patch(`${path}/build/${ids[0]}`, { status: 'expired' })
    assert.deepEqual(idsOf((await admin.get(`${path}/builds?status=expired`)).body), [ids[0]])
    assert.lengthOf((await admin.get(`${path}/builds?status=active`)).body.data, 2)
    const { body: oldest } = await admin.get(`${path}/build/${ids[2]}`)
    const after = await admin.get(`${path}/builds?createdAfter=${earlier(oldest.createdAt, 1)}`)
    assert.lengthOf(after.body.data, 3)
    assert.equal((await admin.get(`${path}/builds?status=gone`)).status, 422)
  })
})

onEveryDisk('PATCH …/build/{buildDistroBuildId}', () => {
  test('200 changes notes and expiry, clears them with null, and writes nothing if nothing changes', async ({
    assert,
  }) => {
    const { admin, path, upload } = await makeBucket()
    const { body: build } = await upload({ data: { testerNotes: 'Try it' } })
    const at = `${path}/build/${build.id}`
    const same = await admin.patch(at, { testerNotes: 'Try it' })
    assert.deepEqual(same.body, build)
    const expiresAt = '2999-01-01T00:00:00.000Z'
    const { body, headers } = await admin.patch(at, { testerNotes: null, expiresAt })
    assert.deepEqual([body.testerNotes, body.expiresAt, body.status], [null, expiresAt, 'active'])
    assert.equal(headers.etag, (await admin.get(at)).headers.etag)
    assert.isNull((await admin.patch(at, { expiresAt: null })).body.expiresAt)
    assert.equal((await admin.patch(at, { expiresAt: '2020-01-01T00:00:00Z' })).status, 422)
    assert.equal((await admin.patch(at, { status: 'active' })).status, 422)
  })

  test('an expired build keeps its record, while its files are removed', async ({ assert }) => {
    const { world, admin, path, upload } = await makeBucket()
    const before = await storedKeys()
    const { body: build } = await upload({ bytes: `old ${world.organizationId}` })
    const at = `${path}/build/${build.id}`
    await sendFile(admin, `${at}/additionalFiles`, { bytes: 'map', fileName: 'map.txt' })
    const { body } = await admin.patch(at, { status: 'expired' })
    assert.deepEqual(
      [body.status, body.downloadUrl, body.fileSize],
      ['expired', null, build.fileSize]
    )
    assert.deepEqual(await storedKeys(), before)
    for (const file of ['download', 'additionalFiles/map.txt']) {
      const { status, body: problem } = await admin.get(`${at}/${file}`)
      assert.deepEqual([status, problem.code, problem.currentStatus], [409, 'file_gone', 'expired'])
    }
    assert.equal((await admin.patch(at, { expiresAt: '2999-01-01T00:00:00Z' })).status, 422)
    const late = await sendFile(admin, `${at}/additionalFiles`, { bytes: 'x', fileName: 'x' })
    assert.equal(late.status, 409)
  })

  test('a build is expired from its end on, before any job has run', async ({ assert }) => {
    const { admin, path, upload } = await makeBucket()
    const { body: build } = await upload()
    await db
      .from('distribution_builds')
      .where('id', build.id)
      .update({ expires_at: '2020-01-01T00:00:00.000Z' })
    const at = `${path}/build/${build.id}`
    assert.equal((await admin.get(at)).body.status, 'expired')
    assert.equal((await admin.get(`${at}/download`)).status, 409)
    assert.lengthOf((await admin.get(`${path}/builds?status=expired`)).body.data, 1)
    assert.lengthOf((await admin.get(`${path}/builds?status=active`)).body.data, 0)
  })
})

onEveryDisk('GET …/build/{buildDistroBuildId}/download', () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))

  async function uploaded() {
    const { world, path, upload } = await makeBucket()
    const { body } = await upload({ bytes, fileName: 'Äpp (1).ipa' })
    const url = body.downloadUrl
    const get = (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(url, { method, headers: { 'x-api-key': world.adminKey, ...headers } })
    return { path, get }
  }

  test('200 with the exact bytes, their digest and both forms of the file name', async ({
    assert,
  }) => {
    const { get } = await uploaded()
    const response = await get()
    assert.equal(response.status, 200)
    assert.isTrue(bytes.equals(Buffer.from(await response.arrayBuffer())))
    const hash = sha256(bytes)
    assert.equal(response.headers.get('etag'), `"${hash}"`)
    const digest = Buffer.from(hash, 'hex').toString('base64')
    assert.equal(response.headers.get('repr-digest'), `sha-256=:${digest}:`)
    assert.equal(response.headers.get('accept-ranges'), 'bytes')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('content-security-policy'), "sandbox; default-src 'none'")
    assert.match(
      response.headers.get('content-disposition')!,
      /^attachment; filename="_pp \(1\)\.ipa"; filename\*=UTF-8''%C3%84pp%20%281%29.ipa$/
    )
  })

  test('206 for a range; 200 for an invalid one; 416 beyond the end of the file', async ({
    assert,
  }) => {
    const { get } = await uploaded()
    const size = bytes.length
    const parts: [string, number, number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=99990-', 99_990, size - 1],
      ['bytes=-5', size - 5, size - 1],
      ['bytes=-200000', 0, size - 1],
      ['bytes=99990-200000', 99_990, size - 1],
      ['bytes=99990-99999999999999999999', 99_990, size - 1],
      ['bytes=-99999999999999999999', 0, size - 1],
    ]
    for (const [range, first, last] of parts) {
      const response = await get({ range })
      assert.equal(response.status, 206, range)
      assert.equal(response.headers.get('content-range'), `bytes ${first}-${last}/${size}`)
      assert.equal(response.headers.get('content-length'), String(last - first + 1))
      const got = Buffer.from(await response.arrayBuffer())
      assert.isTrue(bytes.subarray(first, last + 1).equals(got), range)
    }
    for (const range of ['bytes=0-1,5-6', 'items=0-1', 'bytes=9-3', 'bytes=a-b', 'bytes=-']) {
      const response = await get({ range })
      assert.equal(response.status, 200, range)
      assert.equal((await response.arrayBuffer()).byteLength, size)
    }
    for (const range of [
      'bytes=100000-',
      'bytes=-0',
      'bytes=100000-100001',
      'bytes=99999999999999999999-',
    ]) {
      const response = await get({ range })
      assert.equal(response.status, 416, range)
      assert.equal(response.headers.get('content-range'), `bytes */${size}`)
      assert.equal(((await response.json()) as { code: string }).code, 'range_not_satisfiable')
    }
  })

  test('If-Range gives a range only of the same file, If-None-Match gives 304', async ({
    assert,
  }) => {
    const { get } = await uploaded()
    const tag = `"${sha256(bytes)}"`
    const range = 'bytes=0-9'
    assert.equal((await get({ range, 'if-range': tag })).status, 206)
    assert.equal((await get({ range, 'if-range': '"other"' })).status, 200)
    const same = await get({ 'if-none-match': tag })
    assert.equal(same.status, 304)
    assert.equal((await same.arrayBuffer()).byteLength, 0)
    assert.equal((await get({ 'if-none-match': '"other"' })).status, 200)
  })

  test('HEAD has the headers of GET, without the bytes', async ({ assert }) => {
    const { get } = await uploaded()
    const head = await get({}, 'HEAD')
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), String(bytes.length))
    assert.equal(head.headers.get('etag'), `"${sha256(bytes)}"`)
    const part = await get({ range: 'bytes=0-9' }, 'HEAD')
    assert.deepEqual([part.status, part.headers.get('content-length')], [206, '10'])
  })
})

onEveryDisk('Builds of a removed app or bucket', () => {
  test('are removed with their app and their files', async ({ assert }) => {
    const { world, admin, app, upload } = await makeBucket()
    const before = await storedKeys()
    await upload({ bytes: `gone ${world.organizationId}` })
    assert.equal((await admin.delete(`/app/${app}/config`)).status, 204)
    assert.deepEqual(await storedKeys(), before)
  })

  test('stay in a bucket that a configuration file omits, which is archived', async ({
    assert,
  }) => {
    const { admin, app, bucket, upload } = await makeBucket()
    await upload()
    const { status } = await admin.send('PATCH', `/app/${app}/config`, {
      raw: 'buildDistro:\n  buckets:\n    Candidates: { type: rc }\n',
      headers: { 'content-type': 'application/yaml' },
    })
    assert.equal(status, 200)
    const { body } = await admin.get(`/app/${app}/bucket`)
    const kept = body.find(({ id }: { id: string }) => id === bucket.id)
    assert.deepEqual([kept.status, kept.buildCount], ['archived', 1])
  })
})

import { randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import { Upload } from 'tus-js-client'
import { LIFE_MS } from '#foundation/api/resumable/upload_rows'
import { onEveryDisk, storedKeys } from '#tests/support/disks'
import { CI_BUILD, makeBucket, sha256 } from './support.js'
import { base64, begin, offsetOf, parts, send, tus } from './tus_requests.js'

onEveryDisk('A build that is uploaded in parts', () => {
  test('equals a build that was uploaded as a form', async ({ assert }) => {
    const { admin, path, world } = await makeBucket()
    const bytes = randomBytes(100_000)
    const data = JSON.stringify({ testerNotes: 'Try it', ciBuildInfo: CI_BUILD })
    const begun = await begin(admin, path, bytes.length, {
      filename: 'Äpp.ipa',
      filetype: 'application/zip',
      sha256: sha256(bytes),
      data,
    })
    assert.equal(begun.status, 201)
    assert.equal(begun.headers['tus-resumable'], '1.0.0')
    assert.closeTo(Date.parse(begun.headers['upload-expires']), Date.now() + LIFE_MS, 60_000)
    const at = begun.headers.location
    assert.equal(at.slice(0, path.length), path)
    const first = await send(admin, at, 0, bytes.subarray(0, 30_000))
    assert.deepEqual([first.status, first.headers['upload-offset']], [204, '30000'])
    const head = await admin.head(at, { headers: tus })
    assert.equal(head.status, 200)
    assert.equal(head.headers['upload-offset'], '30000')
    assert.equal(head.headers['upload-length'], '100000')
    assert.equal(head.headers['cache-control'], 'no-store')
    assert.include(head.headers['upload-metadata'], `filename ${base64('Äpp.ipa')}`)
    assert.containsSubset((await admin.get(at)).body, {
      fileName: 'Äpp.ipa',
      length: 100_000,
      offset: 30_000,
      location: null,
      finishedAt: null,
    })
    const { body: none } = await admin.get(`${path}/builds`)
    assert.lengthOf(none.data, 0)
    const last = await send(admin, at, 30_000, bytes.subarray(30_000))
    assert.deepEqual([last.status, last.headers['upload-offset']], [204, '100000'])
    const place = last.headers['content-location']
    const { body: build } = await admin.get(place)
    assert.containsSubset(build, {
      testerNotes: 'Try it',
      artifactFileName: 'Äpp.ipa',
      fileSize: 100_000,
    })
    const got = await fetch(build.downloadUrl, { headers: { 'x-api-key': world.adminKey } })
    assert.isTrue(bytes.equals(Buffer.from(await got.arrayBuffer())))
    assert.equal(got.headers.get('content-type'), 'application/zip')
    assert.equal(await offsetOf(admin, at), '100000')
    const { body: shown } = await admin.get(at)
    assert.equal(shown.location, place)
    assert.isNotNull(shown.finishedAt)
    const types = (await world.events()).map(({ type }) => type)
    assert.includeMembers(types, [
      'buildDistro.newBuildAvailable',
      'buildDistro.buildArtifactAvailable',
    ])
    assert.notInclude(parts().join(), at.split('/').at(-1)!)
    assert.lengthOf(await storedKeys(), 1)
  })

  test('can be sent in part or completely with the request that begins it', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const headers = {
      ...tus,
      'upload-length': '9',
      'content-type': 'application/offset+octet-stream',
    }
    const some = await admin.post(`${path}/uploads`, undefined, { raw: 'the ', headers })
    assert.deepEqual([some.status, some.headers['upload-offset']], [201, '4'])
    assert.equal((await send(admin, some.headers.location, 4, 'build')).status, 204)
    const all = await admin.post(`${path}/uploads`, undefined, { raw: 'the build', headers })
    assert.deepEqual([all.status, all.headers['upload-offset']], [201, '9'])
    assert.equal((await admin.get(all.headers['content-location'])).body.fileSize, 9)
    assert.lengthOf((await admin.get(`${path}/builds`)).body.data, 2)
  })

  test('works with a tus client', async ({ assert }) => {
    const { path, world, admin } = await makeBucket()
    const bytes = randomBytes(1_000_000)
    const location = await new Promise<string>((resolve, reject) => {
      let place = ''
      new Upload(bytes as never, {
        endpoint: `http://127.0.0.1:${process.env.PORT}${path}/uploads`,
        headers: { 'x-api-key': world.adminKey },
        metadata: { filename: 'Acme.ipa' },
        chunkSize: 300_000,
        onAfterResponse: (_request, response) => {
          place = response.getHeader('Content-Location') ?? place
        },
        onSuccess: () => resolve(place),
        onError: reject,
      }).start()
    })
    assert.equal((await admin.get(location)).body.fileSize, bytes.length)
  })
})

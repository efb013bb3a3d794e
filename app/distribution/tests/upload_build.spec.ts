import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { onEveryDisk } from '#tests/support/disks'
import { CI_BUILD, makeBucket, sendFile, sha256, storedKeys } from './support.js'

onEveryDisk('POST /app/{appId}/bucket/{bucketId}/build', () => {
  test('200 with the build, its id and its download address', async ({ assert }) => {
    const { world, admin, path, upload, bucket } = await makeBucket()
    const data = { testerNotes: null, ciBuildInfo: CI_BUILD }
    const { status, body } = await upload({ bytes: 'bits', fileName: 'Acme.ipa', data })
    assert.equal(status, 200)
    assert.match(body.id, /^build_/)
    assert.containsSubset(body, {
      bucketId: bucket.id,
      bucketName: 'Beta',
      status: 'active',
      artifactFileName: 'Acme.ipa',
      fileSize: 4,
      testerNotes: null,
      source: 'upload',
      createdBy: { type: 'apiKey', name: 'admin' },
    })
    assert.containsSubset(body.ciBuild, {
      buildIdentifier: '4711',
      branch: 'release/1.4.0',
      buildStatus: 'success',
      integrationId: 'github-ci',
    })
    const { pathname } = new URL(body.downloadUrl)
    assert.equal(pathname, `${path}/build/${body.id}/download`)
    assert.equal((await admin.get(pathname)).text, 'bits')
    const shown = await admin.get(`${path}/build/${body.id}`)
    assert.deepEqual(shown.body, body)
    const { body: after } = await admin.get(path)
    assert.deepEqual([after.buildCount, after.latestBuild.id], [1, body.id])

    const events = (await world.events()).filter(({ sequence }) => sequence !== null)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable']
    )
    for (const { payload } of events) {
      assert.deepEqual(payload.build, body)
      const { id } = bucket
      assert.deepEqual(payload.bucket, { id, name: 'Beta', type: 'custom', status: 'active' })
    }
  })

  test('200 for requests of existing uploaders: /v1, the header in capitals, no data', async ({
    assert,
  }) => {
    const { world, path } = await makeBucket()
    const send = (data?: string) => {
      const body = new FormData()
      body.append('file', new Blob(['bits'], { type: 'application/octet-stream' }), 'App.zip')
      if (data !== undefined) body.append('data', data)
      const headers = { 'X-API-KEY': world.adminKey }
      return fetch(`http://${process.env.HOST}:${process.env.PORT}/v1${path}/build`, {
        method: 'POST',
        headers,
        body,
      })
    }
    for (const data of [undefined, '{}', JSON.stringify({ testerNotes: 'Try it' })]) {
      const response = await send(data)
      assert.equal(response.status, 200)
      const build = (await response.json()) as { id: string; downloadUrl: string }
      assert.match(build.id, /^build_/)
      assert.equal((await fetch(build.downloadUrl)).status, 401)
    }
  })

  test('equal content of an organization is stored once, until its last build is deleted', async ({
    assert,
  }) => {
    const { world, admin, path, upload } = await makeBucket()
    const before = await storedKeys()
    const bytes = `content ${world.organizationId}`
    const builds = [await upload({ bytes }), await upload({ bytes, fileName: 'Again.ipa' })]
    const kept = (await storedKeys()).filter((key) => !before.includes(key))
    assert.lengthOf(kept, 1)
    const held = () => db.from('stored_files').where('organization_id', world.organizationId)
    assert.deepEqual(
      (await held()).map(({ sha256: hash, holders }) => [hash, holders]),
      [[sha256(bytes), 2]]
    )
    assert.equal((await admin.delete(`${path}/build/${builds[0].body.id}`)).status, 204)
    assert.equal((await admin.get(`${path}/build/${builds[1].body.id}/download`)).text, bytes)
    assert.equal((await admin.delete(`${path}/build/${builds[1].body.id}`)).status, 204)
    assert.isEmpty((await storedKeys()).filter((key) => !before.includes(key)))
    assert.isEmpty(await held())
  })

  test('concurrent uploads of equal content leave one file, and none once all are deleted', async ({
    assert,
  }) => {
    const { world, admin, path, upload } = await makeBucket()
    const before = await storedKeys()
    const bytes = `racing ${world.organizationId}`
    const sent = await Promise.all(Array.from({ length: 8 }, () => upload({ bytes })))
    assert.isTrue(sent.every(({ status }) => status === 200))
    assert.lengthOf(await storedKeys(), before.length + 1)
    const gone = await Promise.all(sent.map(({ body }) => admin.delete(`${path}/build/${body.id}`)))
    assert.isTrue(gone.every(({ status }) => status === 204))
    assert.deepEqual(await storedKeys(), before)
  })

  test('an upload repeated with its Idempotency-Key is one build and one file', async ({
    assert,
  }) => {
    const { world, admin, path, upload } = await makeBucket()
    const before = await storedKeys()
    const options = { headers: { 'idempotency-key': 'run-4711' } }
    const bytes = `once ${world.organizationId}`
    const first = await upload({ bytes }, admin, options)
    const second = await upload({ bytes }, admin, options)
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.lengthOf((await admin.get(`${path}/builds`)).body.data, 1)
    assert.lengthOf(await storedKeys(), before.length + 1)
  })

  test('refused uploads leave no row and no file', async ({ assert }) => {
    const { world, admin, app, path } = await makeBucket()
    const before = await storedKeys()
    const to = `${path}/build`
    const ciBuildInfo = { ...CI_BUILD, integrationId: 'teletype' }
    const refusals: [Promise<{ status: number; body: any }>, number, string][] = [
      [sendFile(admin, to, { text: 'no JSON' }), 400, 'malformed_json'],
      [sendFile(admin, to, { text: '[1]' }), 422, 'invalid_input'],
      [sendFile(admin, to, { data: { ciBuildInfo } }), 422, 'invalid_input'],
      [sendFile(admin, to, { data: { ciBuildInfo: { branch: 'x' } } }), 422, 'invalid_input'],
      [sendFile(admin, to, { text: `"${'x'.repeat(66_000)}"` }), 413, 'too_large'],
      [sendFile(admin, `/app/${app}/bucket/bucket_none/build`), 404, 'not_found'],
      [admin.post(to, { file: 'JSON' }), 415, 'unsupported_media_type'],
    ]
    for (const [refused, status, code] of refusals) {
      const response = await refused
      assert.deepEqual([response.status, response.body.code], [status, code])
    }
    await admin.patch(path, { status: 'archived' })
    const archived = await sendFile(admin, to)
    assert.deepEqual([archived.status, archived.body.currentStatus], [409, 'archived'])

    assert.deepEqual(await storedKeys(), before)
    const rows = await db.from('distribution_builds').where('organization_id', world.organizationId)
    assert.isEmpty(rows)
  })
})

onEveryDisk('POST …/build/{buildDistroBuildId}/additionalFiles', () => {
  test('200 for a file under its own name, or the one in data; an equal name replaces', async ({
    assert,
  }) => {
    const { admin, path, upload } = await makeBucket()
    const before = await storedKeys()
    const { body: build } = await upload()
    const to = `${path}/build/${build.id}/additionalFiles`
    const first = await sendFile(admin, to, { bytes: 'a', fileName: 'notes.txt' })
    assert.equal(first.status, 200)
    await sendFile(admin, to, { bytes: 'bb', fileName: 'x', data: { fileName: 'mapping.txt' } })
    const { body } = await sendFile(admin, to, { bytes: 'ccc', fileName: 'notes.txt' })
    assert.deepEqual(
      body.additionalArtifacts.map(({ fileName, size }: any) => [fileName, size]).sort(),
      [
        ['mapping.txt', 2],
        ['notes.txt', 3],
      ]
    )
    assert.equal((await admin.get(`${to}/notes.txt`)).text, 'ccc')
    assert.equal((await admin.get(`${to}/mapping.txt`)).text, 'bb')
    const named = `${path}/build/${build.id}/download?artifactFileName=mapping.txt`
    assert.equal((await admin.get(named)).text, 'bb')
    assert.equal((await admin.get(`${to}/absent.txt`)).status, 404)
    assert.lengthOf(await storedKeys(), before.length + 3)
  })

  test('a file name is harmless, whatever it contains', async ({ assert }) => {
    const { admin, path, upload } = await makeBucket()
    const { body: build } = await upload()
    const to = `${path}/build/${build.id}/additionalFiles`
    const names = ['../../etc/passwd', 'a"; filename="b.exe', 'über ☕.txt', '..', 'a\\b']
    for (const fileName of names) {
      const { status, body } = await sendFile(admin, to, { bytes: fileName, data: { fileName } })
      assert.equal(status, 200)
      const kept = body.additionalArtifacts.at(-1).fileName
      assert.notMatch(kept, /[/\\]/)
      const got = await admin.get(`${to}/${encodeURIComponent(kept)}`)
      assert.equal(got.text, fileName)
      assert.match(
        got.headers['content-disposition'],
        /^attachment; filename="[^"\\]*"; filename\*=/
      )
    }
  })
})

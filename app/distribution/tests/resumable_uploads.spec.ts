import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import db from '@adonisjs/lucid/services/db'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { Upload } from 'tus-js-client'
import { uploads } from '#config/uploads'
import { PruneUploads } from '#foundation/api/resumable/prune_uploads'
import { LIFE_MS, MOST_UNFINISHED } from '#foundation/api/resumable/upload_rows'
import { VirtualClock } from '#foundation/core/clock'
import { PartFiles } from '#foundation/core/files/part_files'
import { clock } from '#foundation/core/services'
import { onEveryDisk, storedKeys, useStore } from '#tests/support/disks'
import { startService } from '#tests/support/processes'
import { refuseAs, startS3 } from '#tests/support/s3_server'
import { Api } from '#tests/support/api'
import { CI_BUILD, makeBucket, sha256 } from './support.js'
import {
  arrivedAt,
  base64,
  begin,
  metadataOf,
  offsetOf,
  openPatch,
  send,
  tus,
} from './tus_requests.js'

/** Names of what has arrived in parts. */
const parts = () => (existsSync(uploads.parts) ? readdirSync(uploads.parts) : [])

onEveryDisk('A build that is uploaded in parts', () => {
  test('becomes what the plain form makes of it, by whoever sends the last byte', async ({
    assert,
  }) => {
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

  test('can come with its beginning, and is there at once when that is all', async ({ assert }) => {
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

  test('is understood by a client of tus', async ({ assert }) => {
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

test.group('OPTIONS …/uploads', () => {
  test('204 what is spoken, to anybody', async ({ assert }) => {
    const { path, admin } = await makeBucket()
    const { status, headers } = await admin.send('OPTIONS', `${path}/uploads`)
    assert.equal(status, 204)
    assert.equal(headers['tus-version'], '1.0.0')
    assert.equal(headers['tus-extension'], 'creation,creation-with-upload,expiration,termination')
    assert.equal(headers['tus-max-size'], String(4 * 1024 ** 3))
  })
})

test.group('POST …/uploads', () => {
  test('refuses what is too large, empty, of no length, of another version or ill described', async ({
    assert,
  }) => {
    const { admin, path } = await makeBucket()
    const before = parts().length
    const post = (headers: Record<string, string>) =>
      admin.post(`${path}/uploads`, undefined, { headers })
    const length = { 'upload-length': '9' }
    const cases: [Record<string, string>, number, string][] = [
      [{ ...tus, 'upload-length': String(4 * 1024 ** 3 + 1) }, 413, 'too_large'],
      [{ ...tus, 'upload-length': '0' }, 400, 'malformed_request'],
      [{ ...tus, 'upload-length': '-1' }, 400, 'malformed_request'],
      [tus, 400, 'malformed_request'],
      [{ ...tus, 'upload-defer-length': '1' }, 400, 'malformed_request'],
      [length, 412, 'protocol_version'],
      [{ ...tus, ...length, 'upload-metadata': 'filename !' }, 400, 'malformed_request'],
      [
        { ...tus, ...length, 'upload-metadata': metadataOf({ sha256: 'abc' }) },
        400,
        'malformed_request',
      ],
      [{ ...tus, ...length, 'upload-metadata': metadataOf({ data: '{' }) }, 400, 'malformed_json'],
      [
        { ...tus, ...length, 'upload-metadata': metadataOf({ data: '{"testerNotes":1}' }) },
        422,
        'invalid_input',
      ],
      [{ ...tus, ...length, 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ]
    for (const [headers, status, code] of cases) {
      const answer = await post(headers)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(headers))
    }
    const other = await post({ ...length, 'tus-resumable': '0.2.2' })
    assert.deepEqual([other.status, other.headers['tus-version']], [412, '1.0.0'])
    assert.lengthOf(parts(), before)
  })

  test('409 in an archived bucket; 403 for who may not upload there', async ({ assert }) => {
    const { admin, path, world } = await makeBucket({
      members: [{ name: 'QA', permissionLevel: 'tester' }],
    })
    const tester = await world.keyed({ groups: ['QA'] })
    const refused = await begin(tester, path, 9)
    assert.deepEqual([refused.status, refused.body.code], [403, 'bucket_level_missing'])
    const { headers } = await begin(admin, path, 9)
    assert.equal((await send(tester, headers.location, 0, 'the')).status, 403)
    await admin.patch(path, { status: 'archived' })
    assert.equal((await begin(admin, path, 9)).status, 409)
    assert.equal((await send(admin, headers.location, 0, 'the build')).status, 409)
    assert.equal((await admin.delete(headers.location, undefined, { headers: tus })).status, 204)
  })

  test('429 beyond the unfinished uploads of an organization', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    let at = ''
    for (let each = 0; each < MOST_UNFINISHED; each++) {
      const { status, headers } = await begin(admin, path, 3)
      assert.equal(status, 201)
      at = headers.location
    }
    const { status, body, headers } = await begin(admin, path, 3)
    assert.deepEqual([status, body.code, headers['retry-after']], [429, 'too_many_uploads', '60'])
    assert.equal((await send(admin, at, 0, 'abc')).status, 204)
    assert.equal((await begin(admin, path, 3)).status, 201)
  })
})

test.group('PATCH …/uploads/{uploadId}', () => {
  test('409 at another offset, 413 beyond the length; what has arrived stays', async ({
    assert,
  }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    assert.equal((await send(admin, at, 0, 'the ')).status, 204)
    for (const offset of [0, 3, 5, 9]) {
      const { status, body } = await send(admin, at, offset, 'x')
      assert.deepEqual([status, body.code], [409, 'conflict'])
    }
    assert.equal((await send(admin, at, 4, 'a build')).status, 413)
    assert.equal(await offsetOf(admin, at), '4')
    const form = await send(admin, at, 4, 'build', { 'content-type': 'text/plain' })
    assert.equal(form.status, 415)
    const noOffset = await admin.patch(at, undefined, {
      raw: 'build',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream' },
    })
    assert.equal(noOffset.status, 400)
    assert.equal((await send(admin, at, 4, 'build')).status, 204)
    // Whoever did not hear of it may ask again.
    assert.equal((await send(admin, at, 9, '')).headers['content-location'].slice(0, 5), '/app/')
    assert.lengthOf((await admin.get(`${path}/builds`)).body.data, 1)
  })

  test('404 in another bucket, another app and another organization', async ({ assert }) => {
    const { admin, app: appId, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const id = headers.location.split('/').at(-1)
    const { body: other } = await admin.post(`/app/${appId}/bucket`, { name: 'Other' })
    const stranger = await makeBucket()
    const places = [
      [admin, `/app/${appId}/bucket/${other.id}/uploads/${id}`],
      [stranger.admin, `${stranger.path}/uploads/${id}`],
      [stranger.admin, headers.location],
      [admin, `${path}/uploads/upload_none`],
    ] as const
    for (const [api, at] of places) {
      assert.equal((await send(api, at, 0, 'x')).status, 404, at)
      assert.equal((await api.head(at, { headers: tus })).status, 404, at)
      assert.equal((await api.get(at)).status, 404, at)
      assert.equal((await api.delete(at, undefined, { headers: tus })).status, 404, at)
    }
    assert.equal(await offsetOf(admin, headers.location), '0')
  })

  test('whoever else knows its id ends no request of its owner', async ({ assert }) => {
    const { admin, path, world } = await makeBucket()
    const stranger = await makeBucket()
    const { headers } = await begin(admin, path, 50_000)
    const at = headers.location
    const owners = openPatch(world.adminKey, at, 0, 50_000)
    owners.write(Buffer.alloc(40_000, 'a'))
    await arrivedAt(admin, at, 40_000)
    const foreign = `${stranger.path}/uploads/${at.split('/').at(-1)}`
    for (const { status } of [
      await stranger.admin.head(foreign, { headers: tus }),
      await send(stranger.admin, foreign, 40_000, 'x'),
      await stranger.admin.delete(foreign, undefined, { headers: tus }),
    ]) {
      assert.equal(status, 404)
    }
    const answered = once(owners, 'response')
    owners.end(Buffer.alloc(10_000, 'b'))
    const [response] = await answered
    assert.equal(response.statusCode, 204)
    assert.equal(await offsetOf(admin, at), '50000')
  })

  test('a file that is not what was announced is refused and gone', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9, { sha256: sha256('another') })
    const { status, body } = await send(admin, headers.location, 0, 'the build')
    assert.deepEqual([status, body.code], [400, 'digest_mismatch'])
    assert.equal((await admin.get(headers.location)).status, 404)
    assert.lengthOf((await admin.get(`${path}/builds`)).body.data, 0)
  })

  test('what arrived before a connection broke stays, and the next request need not wait', async ({
    assert,
  }) => {
    const { admin, path, world } = await makeBucket()
    const { headers } = await begin(admin, path, 100_000)
    const at = headers.location
    const open = (offset: number) => openPatch(world.adminKey, at, offset, 100_000)
    const arrived = (size: number) => arrivedAt(admin, at, size)
    const cut = open(0)
    cut.write(Buffer.alloc(40_000, 'a'))
    await arrived(40_000)
    cut.destroy()
    assert.equal(await offsetOf(admin, at), '40000')
    // One that hangs is asked to end by the next that comes.
    const hanging = open(40_000)
    hanging.write(Buffer.alloc(20_000, 'b'))
    await arrived(60_000)
    const answered = once(hanging, 'response')
    assert.equal(await offsetOf(admin, at), '60000')
    const [response] = await answered
    assert.isBelow(response.statusCode, 500)
    hanging.destroy()
    assert.equal((await send(admin, at, 60_000, Buffer.alloc(40_000, 'c'))).status, 204)
    const { body } = await admin.get(`${path}/builds`)
    const { text } = await admin.get(`${path}/build/${body.data[0].id}/download`)
    assert.equal(sha256(text), sha256('a'.repeat(40_000) + 'b'.repeat(20_000) + 'c'.repeat(40_000)))
  })

  test('where the storage fails the last byte is sent again, and one build comes of it', async ({
    assert,
    cleanup,
  }) => {
    const s3 = await startS3()
    cleanup(() => s3.stop())
    cleanup(await useStore(s3.store))
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    s3.interceptWith((_, response) => refuseAs(response, 503, 'SlowDown'))
    const failed = await send(admin, at, 0, 'the build')
    assert.deepEqual([failed.status, failed.body.code], [503, 'not_stored'])
    assert.equal(await offsetOf(admin, at), '8')
    s3.interceptWith(() => false)
    const { status, headers: done } = await send(admin, at, 8, 'd')
    assert.equal(status, 204)
    const { text } = await admin.get(`${done['content-location']}/download`)
    assert.equal(text, 'the build')
    assert.lengthOf((await admin.get(`${path}/builds`)).body.data, 1)
  })

  test('409 while the whole file is being stored: nobody writes to it meanwhile', async ({
    assert,
    cleanup,
  }) => {
    const s3 = await startS3()
    cleanup(() => s3.stop())
    cleanup(await useStore(s3.store))
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    const asked = Promise.withResolvers<void>()
    let goOn = () => {}
    s3.interceptWith((_, response) => {
      goOn = () => void refuseAs(response, 403, 'AccessDenied')
      asked.resolve()
      return true
    })
    const first = send(admin, at, 0, 'the build')
    await asked.promise
    const { status, body, headers: told } = await send(admin, at, 8, 'X')
    assert.deepEqual([status, body.code], [409, 'request_running'])
    assert.equal(told['retry-after'], '5')
    assert.equal(await offsetOf(admin, at), '8')
    goOn()
    assert.equal((await first).status, 503)
    s3.interceptWith(() => false)
    const done = await send(admin, at, 8, 'd')
    const { text } = await admin.get(`${done.headers['content-location']}/download`)
    assert.equal(text, 'the build')
  })

  test('a process that ended before it wrote down what it made makes no second build', async ({
    assert,
  }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    const id = at.split('/').at(-1)!
    assert.equal((await send(admin, at, 0, 'the build')).status, 204)
    const before = await storedKeys()
    // As it was left by a process that ended just after its build was made.
    await db.from('resumable_uploads').where('id', id).update({ finished_at: null, location: null })
    const files = await app.container.make('partFiles')
    await files.begin(id)
    await files.append(id, Readable.from([Buffer.from('the build')]), 0, 1000)
    assert.equal(await offsetOf(admin, at), '8')
    const again = await send(admin, at, 8, 'd')
    assert.equal(again.status, 204)
    assert.lengthOf((await admin.get(`${path}/builds`)).body.data, 1)
    assert.deepEqual(await storedKeys(), before)
    assert.equal((await admin.get(again.headers['content-location'])).status, 200)
  })

  test('goes on where it stood after the service was killed', async ({ assert, cleanup }) => {
    const settings = { WORK_IN_SERVER: 'false' }
    const { path, world } = await makeBucket()
    const first = await startService(settings)
    cleanup(() => first.kill())
    const api = new Api(world.adminKey, first.base)
    const { headers } = await begin(api, path, 200_000)
    const at = headers.location
    assert.equal((await send(api, at, 0, Buffer.alloc(120_000, 'x'))).status, 204)
    await first.kill()
    const second = await startService(settings)
    cleanup(() => second.kill())
    const again = new Api(world.adminKey, second.base)
    assert.equal(await offsetOf(again, at), '120000')
    const { status, headers: done } = await send(again, at, 120_000, Buffer.alloc(80_000, 'y'))
    assert.equal(status, 204)
    assert.equal((await again.get(done['content-location'])).body.fileSize, 200_000)
  })
})

test.group('Uploads that are not finished', () => {
  test('go from the disk of each machine, also where another has removed their rows', async ({
    assert,
    cleanup,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tarmac-parts-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const files = new PartFiles(folder)
    const now = Date.now()
    for (const [name, age] of Object.entries({ dead: LIFE_MS + 1000, living: 1000 })) {
      writeFileSync(join(folder, name), 'x')
      utimesSync(join(folder, name), (now - age) / 1000, (now - age) / 1000)
    }
    await files.removeLeftovers(now - LIFE_MS)
    assert.deepEqual(readdirSync(folder), ['living'])
    // It is looked at now and then, not with each upload.
    const long = (now - LIFE_MS) / 1000 - 1
    writeFileSync(join(folder, 'late'), 'x')
    utimesSync(join(folder, 'late'), long, long)
    await files.removeLeftovers(now - LIFE_MS + 3_599_999)
    assert.deepEqual(readdirSync(folder).sort(), ['late', 'living'])
    await files.removeLeftovers(now - LIFE_MS + 3_600_000)
    assert.deepEqual(readdirSync(folder), ['living'])
  })

  test('beginning one removes what is left of others', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    mkdirSync(uploads.parts, { recursive: true })
    const dead = join(uploads.parts, 'upload_dead')
    writeFileSync(dead, 'x')
    const long = new Date(Date.now() - LIFE_MS - 60_000)
    utimesSync(dead, long, long)
    app.container.bindValue('partFiles', new PartFiles(uploads.parts))
    assert.equal((await begin(admin, path, 9)).status, 201)
    assert.isFalse(existsSync(dead))
  })

  test('204 who cancels one removes it', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    await send(admin, at, 0, 'the ')
    assert.equal((await admin.delete(at, undefined, { headers: tus })).status, 204)
    assert.equal((await admin.head(at, { headers: tus })).status, 404)
    assert.notInclude(parts().join(), at.split('/').at(-1)!)
  })

  test('410 once their time is over, then they go with what had arrived', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const { headers: young } = await begin(admin, path, 9)
    const at = headers.location
    const id = at.split('/').at(-1)!
    await send(admin, at, 0, 'the ')
    await db
      .from('resumable_uploads')
      .where('id', id)
      .update({ expires_at: '2020-01-01T00:00:00.000Z' })
    for (const { status } of [
      await admin.head(at, { headers: tus }),
      await admin.get(at),
      await send(admin, at, 4, 'build'),
    ]) {
      assert.equal(status, 410)
    }
    const files = await app.container.make('partFiles')
    assert.include(parts(), id)
    await new PruneUploads(db as never, new VirtualClock(clock.now()), files).run()
    assert.notInclude(parts(), id)
    assert.equal((await admin.get(at)).status, 404)
    assert.equal(await offsetOf(admin, young.location), '0')
  })
})

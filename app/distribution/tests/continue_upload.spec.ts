import { once } from 'node:events'
import { Readable } from 'node:stream'
import db from '@adonisjs/lucid/services/db'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { storedKeys, useStore } from '#tests/support/disks'
import { startService } from '#tests/support/processes'
import { refuseAs, startS3 } from '#tests/support/s3_server'
import { Api } from '#tests/support/api'
import { makeBucket, sha256 } from './support.js'
import { waitForOffset, begin, offsetOf, openPatch, send, tus } from './tus_requests.js'

test.group('PATCH …/uploads/{uploadId}', () => {
  test('409 at another offset, 413 beyond the length; neither loses what has arrived', async ({
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
    const beyond = await send(admin, at, 4, 'a build')
    assert.deepEqual([beyond.status, beyond.body.code], [413, 'too_large'])
    assert.include(beyond.body.detail, 'Upload-Length')
    assert.equal(await offsetOf(admin, at), '4')
    const form = await send(admin, at, 4, 'build', { 'content-type': 'text/plain' })
    assert.equal(form.status, 415)
    const noOffset = await admin.patch(at, undefined, {
      raw: 'build',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream' },
    })
    assert.equal(noOffset.status, 400)
    assert.equal((await send(admin, at, 4, 'build')).status, 204)
    // A client that missed the answer may ask again.
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

  test('a stranger who knows the id cannot end a request of the owner', async ({ assert }) => {
    const { admin, path, world } = await makeBucket()
    const stranger = await makeBucket()
    const { headers } = await begin(admin, path, 50_000)
    const at = headers.location
    const owners = openPatch(world.adminKey, at, 0, 50_000)
    owners.write(Buffer.alloc(40_000, 'a'))
    await waitForOffset(admin, at, 40_000)
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

  test('a file without the announced digest is refused and removed', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9, { sha256: sha256('another') })
    const { status, body } = await send(admin, headers.location, 0, 'the build')
    assert.deepEqual([status, body.code], [400, 'digest_mismatch'])
    assert.equal((await admin.get(headers.location)).status, 404)
    assert.lengthOf((await admin.get(`${path}/builds`)).body.data, 0)
  })

  test('what arrived before a connection broke is kept, and the next request need not wait', async ({
    assert,
  }) => {
    const { admin, path, world } = await makeBucket()
    const { headers } = await begin(admin, path, 100_000)
    const at = headers.location
    const open = (offset: number) => openPatch(world.adminKey, at, offset, 100_000)
    const arrived = (size: number) => waitForOffset(admin, at, size)
    const cut = open(0)
    cut.write(Buffer.alloc(40_000, 'a'))
    await arrived(40_000)
    cut.destroy()
    assert.equal(await offsetOf(admin, at), '40000')
    // The next request makes a hanging one end.
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

  test('if the storage fails, sending the last byte again creates one build', async ({
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

  test('409 while the complete file is being stored', async ({ assert, cleanup }) => {
    const s3 = await startS3()
    cleanup(() => s3.stop())
    cleanup(await useStore(s3.store))
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    const requested = Promise.withResolvers<void>()
    let goOn = () => {}
    s3.interceptWith((_, response) => {
      goOn = () => void refuseAs(response, 403, 'AccessDenied')
      requested.resolve()
      return true
    })
    const first = send(admin, at, 0, 'the build')
    await requested.promise
    const { status, body, headers: reported } = await send(admin, at, 8, 'X')
    assert.deepEqual([status, body.code], [409, 'request_running'])
    assert.equal(reported['retry-after'], '5')
    assert.equal(await offsetOf(admin, at), '8')
    goOn()
    assert.equal((await first).status, 503)
    s3.interceptWith(() => false)
    const done = await send(admin, at, 8, 'd')
    const { text } = await admin.get(`${done.headers['content-location']}/download`)
    assert.equal(text, 'the build')
  })

  test('a crash before the result was recorded leads to no second build', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const at = headers.location
    const id = at.split('/').at(-1)!
    assert.equal((await send(admin, at, 0, 'the build')).status, 204)
    const before = await storedKeys()
    // The state after a crash just after the build was created.
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

  test('continues at its offset after the service was killed', async ({ assert, cleanup }) => {
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

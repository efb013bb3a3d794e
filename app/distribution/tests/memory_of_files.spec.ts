import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import type { ByteRange } from '#foundation/core/files/file_store'
import { FolderStore } from '#foundation/core/files/folder_store'
import { bytesReadDuring, countsReads } from '#tests/support/bytes_read'
import { useStore } from '#tests/support/disks'
import { bodiesDuring, WatchedChunks } from '#tests/support/watched_chunks'
import { artifactsDuring, makeProvided } from './provided_bucket.js'
import { makeBucket, sha256 } from './support.js'
import { begin, send } from './tus_requests.js'

const file = randomBytes(8 * 1024 ** 2)

/** Only small parts of a body may be buffered twice. */
const limit = file.length / 10

test.group('A file and its memory', () => {
  test('memory is released while it arrives in a form', async ({ assert }) => {
    const { upload } = await makeBucket()
    const { bytes, held } = await bodiesDuring(async () =>
      assert.equal((await upload({ bytes: file })).status, 200)
    )
    assert.isAbove(bytes, file.length)
    assert.isBelow(held, limit)
  })

  test('memory is released while it arrives in parts', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, file.length)
    const { bytes, held } = await bodiesDuring(async () =>
      assert.equal((await send(admin, headers.location, 0, file)).status, 204)
    )
    assert.equal(bytes, file.length)
    assert.isBelow(held, limit)
  })

  test('is not read again after it arrived in parts', async ({ assert }) => {
    const { admin, path } = await makeBucket()
    const { headers } = await begin(admin, path, file.length)
    const middle = file.length / 2
    const read = await bytesReadDuring(async () => {
      await send(admin, headers.location, 0, file.subarray(0, middle))
      const last = await send(admin, headers.location, middle, file.subarray(middle))
      assert.equal(last.status, 204)
    })
    // Once from the connection.
    assert.isAtLeast(read, file.length)
    assert.isBelow(read, 1.5 * file.length)
  }).skip(!countsReads, 'this system does not count bytes read')

  test('memory is released while it arrives from a provider', async ({ assert, cleanup }) => {
    const { server, paths, observe, work, builds } = await makeProvided(cleanup)
    server.answers((response) => void response.end(file))
    const { bytes, held } = await artifactsDuring(async () => {
      await observe('success')
      await work()
    })
    assert.equal((await builds(paths[0]))[0].fileSize, file.length)
    assert.equal(bytes, file.length)
    assert.isBelow(held, limit)
  })

  test('memory is released while it is downloaded', async ({ assert, cleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tarmac-files-'))
    cleanup(() => rmSync(folder, { recursive: true }))
    const chunks = new WatchedChunks()
    class Watched extends FolderStore {
      override async open(key: string, range?: ByteRange) {
        const bytes = await super.open(key, range)
        chunks.watch(bytes)
        return bytes
      }
    }
    cleanup(await useStore(new Watched(folder)))
    const { world, upload } = await makeBucket()
    const { body } = await upload({ bytes: file })
    const requested = request(body.downloadUrl, { headers: { 'x-api-key': world.adminKey } }).end()
    const [got] = (await once(requested, 'response')) as [IncomingMessage]
    const hash = createHash('sha256')
    for await (const chunk of got) hash.update(chunk as Buffer)
    assert.equal(hash.digest('hex'), sha256(file))
    assert.equal(chunks.bytes, file.length)
    assert.isBelow(chunks.held, limit)
  })
})

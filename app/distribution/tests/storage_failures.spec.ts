import db from '@adonisjs/lucid/services/db'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { FilesCheck } from '#foundation/service/health'
import { useStore } from '#tests/support/disks'
import { refuseAs, startS3 } from '#tests/support/s3_server'
import { makeBucket } from './support.js'

type Cleanup = (work: () => void | Promise<void>) => void

/** Makes a bucket whose files are in an S3 storage that a test can make fail. */
async function breakable(cleanup: Cleanup) {
  const s3 = await startS3()
  cleanup(() => s3.stop())
  cleanup(await useStore(s3.store))
  const world = await makeBucket()
  const counts = async () => {
    const rows = async (table: string) =>
      (await db.from(table).where('organization_id', world.world.organizationId)).length
    return [await rows('distribution_builds'), await rows('stored_files')]
  }
  const check = () => new FilesCheck(() => app.container.make('fileStore')).run()
  return { ...world, s3, counts, check }
}

test.group('Files whose storage fails', () => {
  test('503 for uploads, with Retry-After if the failure may pass; nothing is half done', async ({
    assert,
    cleanup,
  }) => {
    const { s3, upload, counts, check } = await breakable(cleanup)
    const cases = [
      [503, 'SlowDown', '5'],
      [507, 'InsufficientStorage', '5'],
      [403, 'AccessDenied', undefined],
      [404, 'NoSuchBucket', undefined],
    ] as const
    for (const [status, code, retryAfter] of cases) {
      s3.interceptWith((_, response) => refuseAs(response, status, code))
      const answer = await upload()
      assert.deepEqual([answer.status, answer.body.code], [503, 'not_stored'], code)
      assert.equal(answer.headers['retry-after'], retryAfter, code)
      assert.notInclude(answer.text, code)
      assert.deepEqual(await counts(), [0, 0])
      assert.equal((await check()).status, 'warning')
    }
    s3.interceptWith(() => false)
    assert.equal((await upload()).status, 200)
    assert.equal((await check()).status, 'ok')
  })

  test('503 for downloads; HEAD and 304 need no storage', async ({ assert, cleanup }) => {
    const { s3, admin, path, upload } = await breakable(cleanup)
    const { body: build } = await upload()
    const at = `${path}/build/${build.id}/download`
    s3.interceptWith((_, response) => refuseAs(response, 503, 'SlowDown'))
    const away = await admin.get(at)
    assert.deepEqual([away.status, away.body.code], [503, 'file_unavailable'])
    assert.equal(away.headers['retry-after'], '5')
    const head = await admin.send('HEAD', at)
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(build.fileSize)])
    const known = await admin.get(at, { headers: { 'if-none-match': head.headers.etag } })
    assert.equal(known.status, 304)
    s3.interceptWith(() => false)
    assert.equal((await admin.get(at)).status, 200)
    const [key] = s3.asked.filter((each) => each.startsWith('PUT')).map((each) => each.slice(4))
    assert.match(key, /^\/tarmac-test\/files\/[0-9a-f]{64}-\w{24}/)
    await s3.store.remove(key.replace(/^\/tarmac-test\//, '').replace(/\?.*/, ''))
    const lost = await admin.get(at)
    assert.deepEqual([lost.status, lost.body.code], [503, 'file_unavailable'])
    assert.isUndefined(lost.headers['retry-after'])
  })

  test('a build is deleted even if its file cannot be removed', async ({ assert, cleanup }) => {
    const { s3, admin, path, upload, counts } = await breakable(cleanup)
    const { body: build } = await upload()
    s3.interceptWith((_, response) => refuseAs(response, 403, 'AccessDenied'))
    assert.equal((await admin.delete(`${path}/build/${build.id}`)).status, 204)
    assert.deepEqual(await counts(), [0, 0])
    s3.interceptWith(() => false)
    assert.lengthOf((await Array.fromAsync(s3.store.list('files/'))).flat(), 1)
  })

  test('a download breaks off when the storage does', async ({ assert, cleanup }) => {
    const { s3, world, upload } = await breakable(cleanup)
    const { body: build } = await upload({ bytes: Buffer.alloc(1_000_000, 'x') })
    s3.interceptWith(({ method }, response) => {
      if (method !== 'GET') return false
      response.writeHead(200, { 'content-length': '1000000' })
      response.write('x'.repeat(500_000), () => response.destroy())
      return true
    })
    const answer = await fetch(build.downloadUrl, { headers: { 'x-api-key': world.adminKey } })
    assert.equal(answer.status, 200)
    await assert.rejects(() => answer.arrayBuffer())
  })
})

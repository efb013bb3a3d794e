import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import fc from 'fast-check'
import type { FileStore, StoreFailure } from '../core/files/file_store.js'
import { FolderStore } from '../core/files/folder_store.js'
import { onEveryDisk } from '#tests/support/disks'
import { refuseAs, startS3 } from '#tests/support/s3_server'
import { runs } from '#tests/support/effort'

const MIB = 1024 ** 2

const store = (): Promise<FileStore> => app.container.make('fileStore')

/** Makes a local file with some bytes. */
function fileOf(bytes: Buffer, cleanup: (work: () => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-source-'))
  cleanup(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  return { path, size: bytes.length }
}

const everything = async (files: FileStore, key: string) =>
  Buffer.concat(await (await files.open(key)).toArray())

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const unfinishedOf = async (files: FileStore) =>
  (await Array.fromAsync(files.unfinished(['files/']))).flat()

/** Returns the failure of a store. */
async function failureOf(work: Promise<unknown>): Promise<StoreFailure['kind'] | 'none'> {
  return work.then(
    () => 'none' as const,
    (failure: StoreFailure) => failure.kind
  )
}

onEveryDisk('A store of files', () => {
  test('stores bytes and files, even in several parts, and reads any range of them', async ({
    assert,
    cleanup,
  }) => {
    const files = await store()
    // Three parts, the last of a single byte.
    const large = randomBytes(16 * MIB + 1)
    await files.put('files/small', Buffer.from('small'), 'text/plain')
    await files.put('files/empty', fileOf(Buffer.alloc(0), cleanup), 'text/plain')
    await files.put('files/large', fileOf(large, cleanup), 'application/octet-stream')
    assert.equal(String(await everything(files, 'files/small')), 'small')
    assert.lengthOf(await everything(files, 'files/empty'), 0)
    assert.equal(sha256(await everything(files, 'files/large')), sha256(large))
    assert.deepEqual(
      [await files.sizeOf('files/large'), await files.sizeOf('files/none')],
      [large.length, null]
    )
    const place = fc.integer({ min: 0, max: large.length - 1 })
    const edges = fc.constantFrom(0, 8 * MIB - 1, 8 * MIB, 16 * MIB)
    await fc.assert(
      fc.asyncProperty(fc.oneof(place, edges), fc.nat(300_000), async (first, length) => {
        const last = Math.min(first + length, large.length - 1)
        const part = Buffer.concat(
          await (await files.open('files/large', { first, last })).toArray()
        )
        assert.isTrue(part.equals(large.subarray(first, last + 1)))
      }),
      { numRuns: runs(25) }
    )
    assert.isEmpty(await unfinishedOf(files))
  })

  test('lists the files of a folder, and removes files', async ({ assert }) => {
    const files = await store()
    for (const name of ['a', 'b', 'c']) {
      await files.put(`icons/${name}`, Buffer.from(name.repeat(3)), 'image/png')
    }
    const listed = (await Array.fromAsync(files.list('icons/'))).flat()
    assert.sameDeepMembers(
      listed.map(({ key, size }) => ({ key, size })),
      ['a', 'b', 'c'].map((name) => ({ key: `icons/${name}`, size: 3 }))
    )
    for (const { modifiedAt } of listed) assert.closeTo(modifiedAt, Date.now(), 60_000)
    await files.remove('icons/a')
    await files.remove('icons/a')
    assert.equal(await failureOf(files.open('icons/a')), 'missing')
    assert.isNull(await files.sizeOf('icons/a'))
    assert.isEmpty((await Array.fromAsync(files.list('nothing/'))).flat())
  })

  test('stores nothing of a file that cannot be read completely', async ({ assert, cleanup }) => {
    const files = await store()
    const { path } = fileOf(Buffer.alloc(9 * MIB), cleanup)
    await failureOf(files.put('files/absent', { path: `${path}.none`, size: 5 }, 'text/plain'))
    assert.isNull(await files.sizeOf('files/absent'))
    assert.isEmpty(await unfinishedOf(files))
  })
})

test.group('A store in a bucket', () => {
  async function bucket(cleanup: (work: () => void | Promise<void>) => void) {
    const s3 = await startS3()
    cleanup(() => s3.stop())
    return s3
  }

  test('aborts an upload if a part fails, and sends no further part', async ({
    assert,
    cleanup,
  }) => {
    const s3 = await bucket(cleanup)
    for (const broken of [1, 2, 5]) {
      s3.asked.length = 0
      s3.interceptWith(({ url }, response) =>
        url?.includes(`partNumber=${broken}&`) ? refuseAs(response, 403, 'AccessDenied') : false
      )
      const source = fileOf(Buffer.alloc(64 * MIB), cleanup)
      assert.equal(await failureOf(s3.store.put('files/x', source, 'text/plain')), 'refused')
      assert.isEmpty(s3.uploads())
      assert.isNull(await s3.store.sizeOf('files/x'))
      const parts = s3.asked.filter((each) => each.includes('partNumber='))
      assert.isAtMost(parts.length, broken + 1)
    }
  })

  test('aborts an upload that cannot be completed, or whose file is shorter than stated', async ({
    assert,
    cleanup,
  }) => {
    const s3 = await bucket(cleanup)
    const source = fileOf(Buffer.alloc(20 * MIB), cleanup)
    s3.interceptWith(({ method, url }, response) =>
      method === 'POST' && url?.includes('uploadId=') ? refuseAs(response, 503, 'SlowDown') : false
    )
    assert.equal(await failureOf(s3.store.put('files/x', source, 'text/plain')), 'away')
    assert.isEmpty(s3.uploads())
    s3.interceptWith(() => false)
    const longer = { ...source, size: 30 * MIB }
    assert.equal(await failureOf(s3.store.put('files/x', longer, 'text/plain')), 'away')
    assert.isEmpty(s3.uploads())
    assert.isNull(await s3.store.sizeOf('files/x'))
  })

  test('retries a part after its connection broke', async ({ assert, cleanup }) => {
    const s3 = await bucket(cleanup)
    let isLost = false
    s3.interceptWith(({ url, socket }) => {
      if (isLost || !url?.includes('partNumber=2&')) return false
      isLost = true
      socket.destroy()
      return true
    })
    const bytes = randomBytes(20 * MIB)
    await s3.store.put('files/x', fileOf(bytes, cleanup), 'text/plain')
    assert.isTrue(isLost)
    assert.equal(sha256(await everything(s3.store, 'files/x')), sha256(bytes))
  })

  test('has stored a file even if the answer to its completion was lost', async ({
    assert,
    cleanup,
  }) => {
    const s3 = await bucket(cleanup)
    s3.interceptWith((incoming, response) =>
      incoming.method === 'POST' && incoming.url?.includes('uploadId=')
        ? s3.loseAnswer(incoming, response)
        : false
    )
    const bytes = randomBytes(20 * MIB)
    await s3.store.put('files/x', fileOf(bytes, cleanup), 'text/plain')
    assert.equal(sha256(await everything(s3.store, 'files/x')), sha256(bytes))
    assert.isEmpty(s3.uploads())
  })

  test('distinguishes transient failures from wrong settings', async ({ assert, cleanup }) => {
    const s3 = await bucket(cleanup)
    const put = () => s3.store.put('files/x', Buffer.from('x'), 'text/plain')
    const cases = [
      [403, 'AccessDenied', 'refused'],
      [403, 'InvalidAccessKeyId', 'refused'],
      [403, 'RequestTimeTooSkewed', 'away'],
      [301, 'PermanentRedirect', 'refused'],
      [500, 'InternalError', 'away'],
      [507, 'InsufficientStorage', 'away'],
      [503, 'SlowDown', 'away'],
    ] as const
    for (const [status, code, kind] of cases) {
      s3.interceptWith((_, response) => refuseAs(response, status, code))
      assert.equal(await failureOf(put()), kind, code)
    }
    s3.interceptWith(() => false)
    const other = s3.storeOf('another-bucket')
    for (const ask of [
      () => other.put('files/x', Buffer.from('x'), 'text/plain'),
      () => other.open('files/x'),
      () => other.sizeOf('files/x'),
      () => other.check(),
    ]) {
      assert.equal(await failureOf(ask()), 'refused')
    }
    const silent = s3.storeOf('tarmac-test', {
      requestHandler: { requestTimeout: 50, throwOnRequestTimeout: true },
    })
    s3.interceptWith(() => true)
    assert.equal(await failureOf(silent.put('files/x', Buffer.from('x'), 'text/plain')), 'away')
    await s3.stop()
    assert.equal(await failureOf(put()), 'away')
  })

  test('is read only as far as the reader consumes the stream', async ({ assert, cleanup }) => {
    const s3 = await bucket(cleanup)
    await s3.store.put('files/x', fileOf(Buffer.alloc(64 * MIB), cleanup), 'text/plain')
    const stream = await s3.store.open('files/x')
    const chunks = stream[Symbol.asyncIterator]()
    const { value } = await chunks.next()
    assert.isBelow(value.length + stream.readableLength, MIB)
    stream.destroy()
  })
})

test.group('A store in a folder', () => {
  test('distinguishes transient failures from missing rights', async ({ assert, cleanup }) => {
    const { path } = fileOf(Buffer.from('x'), cleanup)
    // A file where a folder should be.
    const inFile = new FolderStore(path)
    assert.equal(await failureOf(inFile.put('files/x', Buffer.from('x'))), 'refused')
    assert.equal(await failureOf(inFile.check()), 'away')
  })
})

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { form, FORM_END, formHeaders } from '#tests/support/form'
import { readForm } from '../api/http/read_form.js'
import { FileWriter } from '../core/files/file_writer.js'
import { spoolStream } from '../core/files/spool.js'
import { runs } from '#tests/support/effort'

const KIB = 1024
const noise = randomBytes(600 * KIB).fill('-', 0, 1)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Copies bytes into their own memory, like a chunk of a connection. */
const ownMemory = (bytes: Uint8Array) => Buffer.from(new Uint8Array(bytes).buffer)

/** Cuts bytes into chunks of the given sizes, which repeat. */
function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]
    yield ownMemory(bytes.subarray(at, at + size))
    at += size
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 300 * KIB }), { minLength: 1, maxLength: 6 })

/** The boundary of the form; contents contain parts of it between other pieces. */
const boundary = FORM_END.slice(0, -4)
const piece = fc.oneof(
  fc.integer({ min: 1, max: boundary.length - 1 }).map((length) => boundary.slice(0, length)),
  fc.constantFrom('\r', '\n', '--', '\r\n--'),
  fc.integer({ min: 0, max: 150 * KIB }).map((length) => noise.subarray(0, length))
)
const content = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((pieces) => Buffer.concat(pieces.map((each) => Buffer.from(each))))

test.group('A stream that is spooled', (group) => {
  let folder = ''
  let next = 0
  const newPath = () => join(folder, String(next++))
  group.setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'tarmac-spool-'))
    return () => rmSync(folder, { recursive: true, force: true })
  })

  test('is written unchanged, with its size and SHA-256', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(content, sizes, async (bytes, lengths) => {
        const path = newPath()
        const spooled = await spoolStream(Readable.from(cut(bytes, lengths)), path)
        assert.deepEqual(spooled, { size: bytes.length, sha256: sha256(bytes) })
        assert.isTrue(readFileSync(path).equals(bytes))
      }),
      { numRuns: runs(60) }
    )
  })

  test('is read from a form unchanged, wherever the body is cut and whatever resembles its boundary', async ({
    assert,
  }) => {
    await fc.assert(
      fc.asyncProperty(content, sizes, fc.boolean(), async (bytes, lengths, dataLast) => {
        const { raw } = form({ file: bytes }, '{"a":1}', { dataLast })
        const request = Object.assign(Readable.from(cut(raw, lengths), { objectMode: false }), {
          headers: formHeaders,
          complete: true,
        })
        const path = newPath()
        const read = await readForm(request as unknown as IncomingMessage, {
          maxBytes: raw.length,
          withData: true,
          take: (file) => spoolStream(file, path),
        })
        assert.equal(read.data, '{"a":1}')
        assert.deepEqual(read.file, { size: bytes.length, sha256: sha256(bytes) })
        assert.isTrue(readFileSync(path).equals(bytes))
      }),
      { numRuns: runs(100) }
    )
  })

  test('has the memory of its chunks released, except for memory that somebody else may hold', async ({
    assert,
  }) => {
    const shared = ownMemory(noise.subarray(0, 20 * KIB))
    const halves = [shared.subarray(0, 10 * KIB), shared.subarray(10 * KIB)]
    const small = ownMemory(Buffer.from('small'))
    const large = ownMemory(noise)
    const given = [...halves, small, large]
    await spoolStream(Readable.from(given), newPath())
    assert.deepEqual(
      given.map(({ length }) => length),
      [10 * KIB, 10 * KIB, 5, 0]
    )
    assert.isTrue(shared.equals(noise.subarray(0, 20 * KIB)))
  })

  test('is written unchanged even if it arrives byte by byte', async ({ assert }) => {
    const bytes = noise.subarray(0, 100 * KIB)
    const stream = Readable.from(cut(bytes, [1]), {
      objectMode: false,
      highWaterMark: bytes.length,
    })
    const path = newPath()
    assert.deepEqual(await spoolStream(stream, path), { size: bytes.length, sha256: sha256(bytes) })
    assert.isTrue(readFileSync(path).equals(bytes))
  })

  test('is written on after a partial write, and fails with not_stored if the disk fails', async ({
    assert,
  }) => {
    const path = newPath()
    const file = await open(path, 'wx')
    const writer = new FileWriter({
      /** Writes only a part, which never ends with a chunk. */
      async writev(chunks: Buffer[]) {
        const bytes = Buffer.concat(chunks).subarray(0, 40 * KIB + 1)
        return file.write(bytes, 0, bytes.length)
      },
    } as unknown as FileHandle)
    await pipeline(Readable.from(cut(noise, [90 * KIB, 7])), writer)
    await file.close()
    assert.deepEqual(writer.written(), { size: noise.length, sha256: sha256(noise) })
    assert.isTrue(readFileSync(path).equals(noise))

    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    const refusing = new FileWriter({
      writev: () => Promise.reject(full),
    } as unknown as FileHandle)
    const problem = await pipeline(Readable.from([noise]), refusing).catch((error) => error)
    assert.equal(problem.code, 'not_stored')
    assert.equal(problem.cause, full)
  })

  test('fails with its own error', async ({ assert }) => {
    const broken = new Error('The body stopped arriving.')
    const stream = Readable.from(
      (function* () {
        yield ownMemory(noise)
        throw broken
      })()
    )
    await assert.rejects(() => spoolStream(stream, newPath()), broken.message)
  })
})

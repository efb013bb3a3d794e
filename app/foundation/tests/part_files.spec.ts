import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { bytesReadDuring, countsReads } from '#tests/support/bytes_read'
import { PartFiles } from '../core/files/part_files.js'
import { runs } from '#tests/support/effort'

const KIB = 1024
const MIB = 1024 ** 2
const LENGTH = 200 * KIB
const noise = randomBytes(2 * LENGTH)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A request of a client, with bytes that may differ from those of its other attempts. */
const sending = fc.record({
  size: fc.oneof(fc.integer({ min: 0, max: LENGTH }), fc.integer({ min: 0, max: 3 })),
  /** Offset of the bytes in `noise`. */
  from: fc.integer({ min: 0, max: LENGTH }),
  chunk: fc.integer({ min: 1, max: 70 * KIB }),
  /** The process that receives it. */
  process: fc.integer({ min: 0, max: 1 }),
  end: fc.constantFrom('whole' as const, 'broken' as const, 'aborted' as const, 'refused' as const),
  /** Says whether storing the complete file fails, or moves it away. */
  storing: fc.constantFrom('fails' as const, 'fails' as const, 'moves' as const),
  /** True if the processes are restarted. */
  restarts: fc.boolean(),
})
type Sending = typeof sending extends fc.Arbitrary<infer Value> ? Value : never

/** Chunks with their own memory, like those of a connection. */
function* ownChunks(bytes: Buffer, size = 64 * KIB) {
  for (let at = 0; at < bytes.length; at += size) {
    yield Buffer.from(new Uint8Array(bytes.subarray(at, at + size)).buffer)
  }
}

function* cut(bytes: Buffer, { chunk, end }: Sending) {
  yield* ownChunks(bytes, chunk)
  if (end === 'broken') throw new Error('The connection broke.')
}

test.group('A file that arrives in several requests', (group) => {
  let folder = ''
  group.each.setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'tarmac-parts-'))
    return () => rmSync(folder, { recursive: true, force: true })
  })

  /** Returns the offset of the upload, as the service reports it. */
  async function offsetOf(parts: PartFiles, id: string) {
    return Math.min((await parts.sizeOf(id))!, LENGTH - 1)
  }

  async function send(parts: PartFiles, id: string, each: Sending) {
    const offset = await offsetOf(parts, id)
    const size = Math.min(each.size, LENGTH - offset)
    const bytes = noise.subarray(each.from, each.from + size)
    const aborting = new AbortController()
    if (each.end === 'aborted') setImmediate(() => aborting.abort())
    let writes = 0
    await parts
      .append(id, Readable.from(cut(bytes, each)), offset, 1000, {
        length: LENGTH,
        signal: aborting.signal,
        demand: () => {
          if (each.end === 'refused' && writes++ > 0) throw new Error('Another goes on.')
        },
      })
      .catch(() => {})
  }

  test('has the right SHA-256, whatever was sent to which process, and whatever failed', async ({
    assert,
  }) => {
    let next = 0
    await fc.assert(
      fc.asyncProperty(fc.array(sending, { minLength: 2, maxLength: 10 }), async (sendings) => {
        const id = `upload_${next++}`
        let processes = [new PartFiles(folder), new PartFiles(folder)]
        await processes[0].begin(id)
        const last = { ...sendings[0], size: LENGTH, end: 'whole' as const, restarts: false }
        for (const each of [...sendings, last, { ...last, from: 7, process: 1 }]) {
          if (each.restarts) processes = [new PartFiles(folder), new PartFiles(folder)]
          const parts = processes[each.process]
          await send(parts, id, each)
          if ((await parts.sizeOf(id)) !== LENGTH) continue
          await parts.use(id, async (path, reported) => {
            assert.equal(reported, sha256(readFileSync(path)))
            if (each.storing === 'moves') renameSync(path, join(folder, `stored_${next++}`))
          })
        }
        await processes[0].remove(id)
      }),
      { numRuns: runs(40) }
    )
  })

  test('is hashed anew if somebody else has written to it', async ({ assert }) => {
    const bytes = randomBytes(100 * KIB)
    const parts = new PartFiles(folder)
    const path = join(folder, 'upload')
    const append = (from: number, to: number) =>
      parts.append('upload', Readable.from(ownChunks(bytes.subarray(from, to))), from, 1000, {
        length: bytes.length,
      })
    const changed = async () => {
      const { mtimeNs } = statSync(path, { bigint: true })
      // Repeated, because file times have a resolution of some milliseconds.
      do writeFileSync(path, 'X', { flag: 'r+' })
      while (statSync(path, { bigint: true }).mtimeNs === mtimeNs)
    }
    const requireRightHash = () =>
      parts.use('upload', async (whole, reported) =>
        assert.equal(reported, sha256(readFileSync(whole)))
      )
    await parts.begin('upload')
    await append(0, 50 * KIB)
    await changed()
    await append(50 * KIB, bytes.length)
    await requireRightHash()
    await parts.remove('upload')
    await parts.begin('upload')
    await append(0, bytes.length)
    await changed()
    await requireRightHash()
  })

  test('is not read again by the process that received it, even after a failure', async ({
    assert,
  }) => {
    const bytes = randomBytes(3 * MIB)
    const parts = new PartFiles(folder)
    const append = (offset: number, end: number) =>
      parts.append('upload', Readable.from(ownChunks(bytes.subarray(offset, end))), offset, 1000, {
        length: bytes.length,
      })
    const finish = (of: PartFiles) =>
      of.use('upload', async (_path, reported) => assert.equal(reported, sha256(bytes)))
    await parts.begin('upload')
    await append(0, MIB)
    await append(MIB, 2 * MIB)
    await append(2 * MIB, bytes.length)
    assert.isBelow(await bytesReadDuring(() => finish(parts)), MIB)
    await append(bytes.length - 1, bytes.length)
    assert.isBelow(await bytesReadDuring(() => finish(parts)), MIB)
    const restarted = new PartFiles(folder)
    assert.isAtLeast(await bytesReadDuring(() => finish(restarted)), bytes.length)
  }).skip(!countsReads, 'this system does not count what is read')
})

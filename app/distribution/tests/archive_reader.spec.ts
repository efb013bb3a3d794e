import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import type { ByteRange } from '#foundation/core/files/file_store'
import { ArchiveReader } from '../reading/archive_reader.js'
import { HOSTILE_ANDROID } from '#app-archives/tests/support/hostile_android'
import { HOSTILE_APPLE } from '#app-archives/tests/support/hostile_apple'
import { HOSTILE_ZIPS } from '#app-archives/tests/support/hostile_zips'
import {
  INFO,
  apkEntries,
  ipaEntries,
  plistText,
  writeAab,
  writeApk,
  writeIpa,
} from '#app-archives/writing/sane_archives'
import { withFile } from '#app-archives/tests/support/scratch'
import { writeResourceTable } from '#app-archives/writing/write_resources'
import { writeZip } from '#app-archives/writing/write_zip'
import { LONG, some } from '#tests/support/effort'

const ILL = new URL('./ill_worker.ts', import.meta.url)
const OVERRUN = {
  isRead: false,
  reason: 'Reading the archive takes more time or memory than allowed.',
}
const MIB = 1024 * 1024

test.group('Reading archives in threads', (group) => {
  const readers: ArchiveReader[] = []
  const readerOf = (options?: ConstructorParameters<typeof ArchiveReader>[0]) => {
    const reader = new ArchiveReader(options)
    readers.push(reader)
    return reader
  }
  const readWith = (reader: ArchiveReader, bytes: Buffer | string) =>
    withFile(Buffer.from(bytes), (path) => reader.read(path))
  group.each.teardown(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.close()))
  })

  test('the result of a thread arrives unchanged', async ({ assert }) => {
    const read = await readWith(readerOf(), writeIpa())
    assert.isTrue(read.isRead)
    if (!read.isRead) return
    assert.equal(read.metadata.bundleId, 'com.acme.app')
    assert.equal(Buffer.from(read.icon!).toString('latin1', 1, 4), 'PNG')
  })

  test('a file whose thread overruns ({$self}) fails alone')
    .with(['hang', 'hoard'])
    .run(async ({ assert }, command) => {
      const deadline = command === 'hang' ? 2_000 : 60_000
      const reader = readerOf({ worker: ILL, deadline, memoryMb: 64 })
      const read = await Promise.all(
        [command, 'one', command, 'two'].map((each) => readWith(reader, each))
      )
      assert.deepEqual(read, [
        OVERRUN,
        { isRead: false, reason: 'one' },
        OVERRUN,
        { isRead: false, reason: 'two' },
      ])
    })

  test('a reading fails if its thread exits, and later ones succeed', async ({ assert }) => {
    const reader = readerOf({ worker: ILL })
    await assert.rejects(() => readWith(reader, 'exit'))
    assert.deepEqual(await readWith(reader, 'one'), { isRead: false, reason: 'one' })
  })

  test('the largest accepted archive fits into the memory of a thread ({name})')
    .with([
      {
        name: 'text of 20,000 values',
        bytes: () => {
          const Many = Array.from({ length: 19_000 }, (_, each) => `text ${each} ${'x'.repeat(30)}`)
          return writeIpa({ info: plistText({ ...INFO, Many }) })
        },
      },
      {
        name: 'text of 16 MiB with escapes',
        bytes: () => writeIpa({ info: plistText({ ...INFO, Long: '&'.repeat(3 * MIB) }) }),
      },
      {
        name: '100,000 entries with long names',
        bytes: () => {
          const entries = apkEntries()
          const more = Array.from({ length: 100_000 - entries.length }, (_, each) => ({
            name: `${'a'.repeat(500)}${each}`,
            stored: true,
          }))
          return writeZip([...entries, ...more], { zip64: {} })
        },
      },
      {
        name: 'resources of 64 MiB',
        bytes: () => {
          const values = [{ id: 0x7f030000, value: { text: 'Acme' } }]
          const table = writeResourceTable(values)
          const content = Buffer.concat([table, Buffer.alloc(64 * MIB - table.length)])
          const [manifest, , ...rest] = apkEntries()
          return writeZip([manifest, { name: 'resources.arsc', content, stored: true }, ...rest])
        },
      },
    ])
    .run(async ({ assert }, { bytes }) => {
      const read = await readWith(readerOf(), bytes())
      assert.isTrue(read.isRead, JSON.stringify(read))
    })
    .timeout(60_000)
    .tags([LONG])

  test('a file that cannot be read gives a reason', async ({ assert }) => {
    const bytes = writeZip(ipaEntries({ info: { CFBundleName: 'Acme' } }))
    const reason = 'Info.plist names no CFBundleIdentifier.'
    assert.deepEqual(await readWith(readerOf(), bytes), { isRead: false, reason })
  })
})

test.group('Reading remote archives', (group) => {
  const reader = new ArchiveReader()
  group.teardown(() => reader.close())
  const { signal: never } = new AbortController()

  /** Reads bytes as a remote file. @returns the result, and the requested ranges */
  async function readParts(bytes: Buffer, signal = never) {
    const requested: ByteRange[] = []
    const open = async (range: ByteRange) => {
      requested.push(range)
      return Readable.from([bytes.subarray(range.first, range.last + 1)])
    }
    return { read: await reader.readRemote(bytes.length, open, signal), asked: requested }
  }

  /** Makes an archive with a large entry that does not describe the app. */
  const withAssets = (size: number) =>
    writeIpa({
      more: [
        { name: 'Payload/Acme.app/Assets.car', content: Buffer.alloc(size, 'x'), stored: true },
      ],
    })

  const sane = [writeIpa(), writeApk(), writeAab()]

  test('has the same result as reading a local file, sane or hostile', async ({ assert }) => {
    const hostile = [...HOSTILE_ZIPS, ...HOSTILE_ANDROID, ...HOSTILE_APPLE]
    for (const bytes of [...sane, Buffer.alloc(0), ...some(hostile).map((each) => each.bytes())]) {
      const { read, asked: requested } = await readParts(bytes)
      assert.deepEqual(read, await withFile(bytes, (path) => reader.read(path)))
      for (const { first, last } of requested) {
        assert.isTrue(first >= 0 && first <= last && last < bytes.length)
      }
    }
  }).timeout(60_000)

  test('reads only the directory and the entries that describe the app', async ({ assert }) => {
    const bytes = withAssets(20 * MIB)
    const { read, asked: requested } = await readParts(bytes)
    assert.isTrue(read.isRead)
    const taken = requested.reduce((sum, { first, last }) => sum + last - first + 1, 0)
    assert.isBelow(taken, MIB)
    assert.isBelow(requested.length, 20)
  })

  test('a range that cannot be fetched is an error, not a damaged archive', async ({ assert }) => {
    const bytes = withAssets(MIB)
    const { asked: requested } = await readParts(bytes)
    assert.isAbove(requested.length, 1)
    for (const fails of requested.keys()) {
      let part = 0
      const open = async ({ first, last }: ByteRange) => {
        if (part++ === fails) throw new Error('The storage is away')
        return Readable.from([bytes.subarray(first, last + 1)])
      }
      await assert.rejects(() => reader.readRemote(bytes.length, open, never), /away/)
    }
    const short = async () => Readable.from([Buffer.from('x')])
    await assert.rejects(() => reader.readRemote(bytes.length, short, never), /less than asked/)
  })

  test('ends when it is aborted', async ({ assert }) => {
    const ending = new AbortController()
    const open = async () => {
      ending.abort(new Error('As asked'))
      return new Readable({ read() {} })
    }
    await assert.rejects(() => reader.readRemote(1000, open, ending.signal))
  })
})

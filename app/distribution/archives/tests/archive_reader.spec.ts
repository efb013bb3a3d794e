import { test } from '@japa/runner'
import { ArchiveReader } from '../archive_reader.js'
import { INFO, apkEntries, ipaEntries, plistText, writeIpa } from '../writing/sane_archives.js'
import { withFile } from './support/scratch.js'
import { writeResourceTable } from '../writing/write_resources.js'
import { writeZip } from '../writing/write_zip.js'

const ILL = new URL('./support/ill_worker.ts', import.meta.url)
const OVERRUN = {
  isRead: false,
  reason: 'Reading the archive takes more time or memory than it may.',
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

  test('what a thread reads comes back whole', async ({ assert }) => {
    const read = await readWith(readerOf(), writeIpa())
    assert.isTrue(read.isRead)
    if (!read.isRead) return
    assert.equal(read.metadata.bundleId, 'com.acme.app')
    assert.equal(Buffer.from(read.icon!).toString('latin1', 1, 4), 'PNG')
  })

  test('a file whose thread overruns ({$self}) fails alone')
    .with(['hang', 'hoard'])
    .run(async ({ assert }, wish) => {
      const deadline = wish === 'hang' ? 200 : 60_000
      const reader = readerOf({ worker: ILL, deadline, memoryMb: 64 })
      const read = await Promise.all(
        [wish, 'one', wish, 'two'].map((each) => readWith(reader, each))
      )
      assert.deepEqual(read, [
        OVERRUN,
        { isRead: false, reason: 'one' },
        OVERRUN,
        { isRead: false, reason: 'two' },
      ])
    })

  test('a thread that ends itself is no reading, and others are read', async ({ assert }) => {
    const reader = readerOf({ worker: ILL })
    await assert.rejects(() => readWith(reader, 'exit'))
    assert.deepEqual(await readWith(reader, 'one'), { isRead: false, reason: 'one' })
  })

  test('the largest that is taken fits into a thread ({name})')
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

  test('what cannot be read is told as a reason', async ({ assert }) => {
    const bytes = writeZip(ipaEntries({ info: { CFBundleName: 'Acme' } }))
    const reason = 'Info.plist names no CFBundleIdentifier.'
    assert.deepEqual(await readWith(readerOf(), bytes), { isRead: false, reason })
  })
})

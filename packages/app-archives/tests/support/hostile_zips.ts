import { MIB, apkWith, manifestWith, type Variant } from './hostile.js'
import { apkEntries, ipaEntries } from '../../writing/sane_archives.js'
import { writeZip } from '../../writing/write_zip.js'

/** Malformed or malicious zip archives. */
export const HOSTILE_ZIPS: Variant[] = [
  {
    name: 'a manifest of zeros, compressed a thousand times',
    bytes: () => manifestWith({ content: Buffer.alloc(15 * MIB) }),
    reason: /^AndroidManifest.xml is compressed more than 100 to 1\.$/,
  },
  {
    name: 'a manifest of more than 16 MiB',
    bytes: () => manifestWith({ content: Buffer.alloc(16 * MIB + 1), stored: true }),
    reason: /^AndroidManifest.xml is larger than 16777216 bytes\.$/,
  },
  {
    name: 'a manifest that says it is small, and is not',
    bytes: () => manifestWith({ content: Buffer.alloc(8 * MIB, 'ab'), size: 1000, crc: 1 }),
    reason: /^AndroidManifest.xml is (damaged|longer compressed than it can be)\.$/,
  },
  {
    name: 'resources of more than 64 MiB',
    bytes: () =>
      apkWith((entry) =>
        entry.name === 'resources.arsc' ? { ...entry, stored: false, size: 65 * MIB } : entry
      ),
    reason: /^resources.arsc is larger than 67108864 bytes\.$/,
  },
  {
    name: 'entries that share their bytes',
    bytes: () => {
      const more = Array.from({ length: 50 }, (_, each) => ({
        name: `assets/${each}`,
        content: Buffer.alloc(1000),
        offset: 0,
      }))
      return writeZip([...apkEntries(), ...more])
    },
    reason: /^Entries of the archive overlap\.$/,
  },
  {
    name: 'an entry that reaches into the directory',
    bytes: () =>
      apkWith((entry, index) => (index === 5 ? { ...entry, compressedSize: 10_000 } : entry)),
    reason: /^(Entries of the archive overlap|The directory of the archive is damaged)\.$/,
  },
  {
    name: 'two manifests of one name',
    bytes: () => writeZip([...apkEntries(), { name: 'AndroidManifest.xml', content: 'other' }]),
    reason: /^AndroidManifest.xml is in the archive more than once\.$/,
  },
  {
    name: 'two apps in one payload',
    bytes: () => writeZip([...ipaEntries(), { name: 'Payload/B.app/Info.plist', content: 'x' }]),
    reason: /^The archive holds the manifests of several apps\.$/,
  },
  {
    name: '100,001 entries',
    bytes: () => {
      const more = Array.from({ length: 100_001 }, (_, each) => ({
        name: `a/${each}`,
        stored: true,
      }))
      return writeZip(more, { zip64: {} })
    },
    reason: /^The archive has more than 100000 entries\.$/,
  },
  {
    name: 'a record for large archives with more entries than there are bytes',
    bytes: () => writeZip(apkEntries(), { zip64: { entryCount: 2n ** 63n } }),
    reason: /^The archive has more than 100000 entries\.$/,
  },
  {
    name: 'a record for large archives that is somewhere else',
    bytes: () => writeZip(apkEntries(), { zip64: { locator: 2n ** 62n } }),
    reason: /^It is no zip archive, or it is cut off\.$/,
  },
  {
    name: 'a directory behind the end of the file',
    bytes: () => writeZip(apkEntries(), { zip64: { directoryStart: 2n ** 40n } }),
    reason: /^The directory of the archive is cut off\.$/,
  },
  {
    name: 'an entry of 2^63 bytes, as large archives state it',
    bytes: () => {
      const extra = Buffer.alloc(20)
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(16, 2)
      extra.fill(0x7f, 4)
      return manifestWith({ size: 0xffffffff, compressedSize: 0xffffffff, extra })
    },
    reason: /^Entries of the archive overlap\.$/,
  },
  {
    name: 'fewer entries in the directory than it says',
    bytes: () => writeZip(apkEntries(), { entryCount: 50 }),
    reason: /^The directory of the archive is damaged\.$/,
  },
  {
    name: 'a directory that is cut off',
    bytes: () => {
      const bytes = writeZip(apkEntries())
      return Buffer.concat([bytes.subarray(0, -100), bytes.subarray(-22)])
    },
    reason: /^The directory of the archive is (damaged|cut off)\.$/,
  },
  {
    name: 'a comment that is another end of an archive',
    bytes: () => writeZip(apkEntries(), { comment: writeZip([]) }),
    reason: /^It is no \.ipa, \.apk or \.aab/,
  },
  {
    name: 'a comment that is longer than it says',
    bytes: () => Buffer.concat([writeZip(apkEntries()), Buffer.from('more')]),
    reason: /^It is no zip archive, or it is cut off\.$/,
  },
  {
    name: 'a manifest that is a link',
    bytes: () => manifestWith({ content: '/etc/passwd', mode: 0o120777, stored: true }),
    reason: /^AndroidManifest.xml is a link\.$/,
  },
  {
    name: 'an encrypted manifest',
    bytes: () => manifestWith({ flags: 0x801 }),
    reason: /^AndroidManifest.xml is encrypted\.$/,
  },
  {
    name: 'a manifest compressed by a method of its own',
    bytes: () => manifestWith({ method: 93, compressed: Buffer.from('zstd') }),
    reason: /^AndroidManifest.xml is compressed by a method that is not known\.$/,
  },
  {
    name: 'a manifest that is named otherwise in its own header',
    bytes: () => manifestWith({ localName: 'AndroidManifest.xmL' }),
    reason: /^AndroidManifest.xml has another name in its own header\.$/,
  },
  {
    name: 'a manifest with a checksum of something else',
    bytes: () => manifestWith({ crc: 0x12345678 }),
    reason: /^AndroidManifest.xml is not what the archive says of it\.$/,
  },
  {
    name: 'compressed bytes that are none',
    bytes: () => manifestWith({ compressed: Buffer.alloc(500, 0xff) }),
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
]

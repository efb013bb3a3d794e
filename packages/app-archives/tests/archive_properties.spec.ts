import { test } from '@japa/runner'
import fc from 'fast-check'
import { fieldsOf } from '../android/read_protobuf.js'
import { own, readPlist, type Plist } from '../read_plist.js'
import {
  DEBUG_CERTIFICATE,
  ICON,
  ICON_FILE,
  INFO,
  LABEL,
  MANIFEST,
  PROFILE,
  RELEASE_CERTIFICATE,
  RESOURCES,
  apkEntries,
  plistBinary,
  plistText,
  writeAab,
  writeApk,
  writeIpa,
} from '../writing/sane_archives.js'
import { metadataOf, quieten, readBytes } from './support/scratch.js'
import { writeBinaryXml, writeProtobufXml, type XmlElement } from '../writing/write_manifest.js'
import { plainPicture, writeApplePng } from '../writing/write_png.js'
import { bytesField, varint } from '../writing/write_protobuf.js'
import { writeProtobufTable, writeResourceTable } from '../writing/write_resources.js'
import { writeCms, writeSigningBlock } from '../writing/write_signatures.js'
import { writeZip } from '../writing/write_zip.js'
import { runs } from '../../../tests/support/effort.js'

/** Texts as names: printable, in composed form, and trimmed. */
const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.replace(/[\p{C}\p{Z}]/gu, '').normalize('NFC'))
  .filter((text) => text !== '')

/** Keys of a dictionary; readers ignore `__proto__` at any depth. */
const names = words.filter((text) => text !== '__proto__')

/** A change of bytes: overwriting, cutting, repeating, or inserting something like a size. */
const mutations = fc.array(
  fc.oneof(
    fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.integer({ max: 255 }) }),
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      word: fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff),
    }),
    fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.boolean() })
  ),
  { minLength: 1, maxLength: 4 }
)
type Mutation = (typeof mutations extends fc.Arbitrary<infer Each> ? Each : never)[number]

function mutated(bytes: Buffer, changes: Mutation[]): Buffer {
  let copy: Buffer = Buffer.from(bytes)
  for (const change of changes) {
    const at = Math.floor(change.at * (copy.length - 1))
    if (copy.length === 0) return copy
    if ('byte' in change) copy[at] = change.byte & 0xff
    else if ('word' in change) {
      if (at + 4 <= copy.length) copy.writeUInt32LE(change.word >>> 0, at)
    } else {
      copy = change.cut ? copy.subarray(0, at) : Buffer.concat([copy, copy.subarray(at)])
    }
  }
  return copy
}

const signers = [
  { scheme: 'v2' as const, certificate: RELEASE_CERTIFICATE },
  { scheme: 'v3' as const, certificate: DEBUG_CERTIFICATE },
]

/** Each part that is read, with a function that puts a changed part into an archive. */
const PARTS: { part: string; bytes: Buffer; around: (bytes: Buffer) => Buffer }[] = [
  {
    part: 'binary XML',
    bytes: writeBinaryXml(MANIFEST),
    around: (manifest) => writeApk({ manifest }),
  },
  {
    part: 'a resource table',
    bytes: writeResourceTable(RESOURCES),
    around: (resources) => writeApk({ resources }),
  },
  {
    part: 'a sparse resource table',
    bytes: writeResourceTable(RESOURCES, { layout: 'sparse', encoding: 'utf8' }),
    around: (resources) => writeApk({ resources }),
  },
  {
    part: 'a manifest in messages',
    bytes: writeProtobufXml(MANIFEST),
    around: (manifest) => writeAab({ manifest }),
  },
  {
    part: 'resources in messages',
    bytes: writeProtobufTable(RESOURCES),
    around: (resources) => writeAab({ resources }),
  },
  {
    part: 'a signing block',
    bytes: writeSigningBlock(signers),
    around: (block) => writeApk({ block }),
  },
  {
    part: 'a JAR signature',
    bytes: writeCms(Buffer.from(''), { certificates: [DEBUG_CERTIFICATE] }),
    around: (content) =>
      writeZip([...apkEntries(), { name: 'META-INF/A.RSA', content, stored: true }]),
  },
  {
    part: 'a binary property list',
    bytes: plistBinary(INFO),
    around: (info) => writeIpa({ info }),
  },
  { part: 'a property list', bytes: plistText(INFO), around: (info) => writeIpa({ info }) },
  {
    part: 'a profile',
    bytes: writeCms(plistText(PROFILE), { indefinite: true }),
    around: (profile) => writeIpa({ profile }),
  },
  {
    part: 'an icon of Xcode’s',
    bytes: writeApplePng(plainPicture(6)),
    around: (icon) => writeIpa({ icon }),
  },
  { part: 'an APK', bytes: writeApk(), around: (bytes) => bytes },
  { part: 'an IPA', bytes: writeIpa(), around: (bytes) => bytes },
]

test.group('Archives with changed bytes', (group) => {
  group.setup(quieten)

  test('{part}: is read or refused with a reason')
    .with(PARTS)
    .run(async ({ assert }, { bytes, around }) => {
      await fc.assert(
        fc.asyncProperty(mutations, async (changes) => {
          const read = await readBytes(around(mutated(bytes, changes)))
          if (read.isRead) assert.isNotEmpty(read.metadata.bundleId)
          else assert.match(read.reason, /^[A-Za-z.].{10,100}\.$/)
        }),
        { numRuns: runs(150, 9) }
      )
    })

  test('{part}: is read or refused, wherever it is cut off')
    .with(PARTS)
    .run(async ({ assert }, { bytes, around }) => {
      for (let end = 0; end < bytes.length; end += Math.ceil(bytes.length / 60)) {
        assert.isBoolean((await readBytes(around(bytes.subarray(0, end)))).isRead)
      }
    })
})

test.group('Written data', () => {
  const attributes = fc.record({
    versionName: words,
    versionCode: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    label: words,
    isNamed: fc.boolean(),
    encoding: fc.constantFrom('utf8' as const, 'utf16le' as const),
    layout: fc.constantFrom('plain', 'sparse', 'short', 'compact'),
  })

  test('is read again from binary XML, resource tables and messages', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(attributes, async (given) => {
        const { versionName, versionCode, label, isNamed, encoding, layout } = given
        const root: XmlElement = {
          ...MANIFEST,
          attributes: {
            package: { text: 'com.acme.app' },
            versionName: { text: versionName },
            versionCode: { number: versionCode },
          },
          children: [
            {
              name: 'application',
              attributes: { label: isNamed ? { reference: LABEL } : { text: label } },
            },
          ],
        }
        const values = [
          { id: LABEL, value: { text: 'anders' }, language: 'de' },
          { id: LABEL, value: { text: label } },
        ]
        const options = { encoding, layout: layout as 'plain' }
        const archives = [
          writeApk({
            manifest: writeBinaryXml(root, { encoding }),
            resources: writeResourceTable(values, options),
          }),
          writeAab({ manifest: root, resources: values }),
        ]
        for (const archive of archives) {
          const read = await metadataOf(archive)
          assert.deepEqual(
            [read.version, read.buildNumber, read.name],
            [versionName, String(versionCode), label]
          )
        }
      }),
      { numRuns: runs(100, 9) }
    )
  })

  test('is read again from property lists of both kinds', ({ assert }) => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: 'grapheme' }),
        fc.boolean(),
        fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(names, tie('any'), { maxKeys: 4, noNullPrototype: true })
      ),
    })).any
    const dictionary = fc.dictionary(names, value, { maxKeys: 5, noNullPrototype: true })
    fc.assert(
      fc.property(dictionary, (given) => {
        assert.deepEqual(readPlist(plistBinary(given), 'It'), given)
      })
    )
  })

  test('a property list cannot set a prototype', ({ assert }) => {
    const given = Object.fromEntries([
      ['__proto__', { CFBundleVersion: '42' }],
      ['inner', Object.fromEntries([['__proto__', { CFBundleVersion: '42' }]])],
    ])
    const read = readPlist(plistBinary(given), 'It')
    assert.isUndefined(own(read, 'CFBundleVersion'))
    assert.isUndefined(own(own(read, 'inner') as Plist, 'CFBundleVersion'))
    assert.notProperty({}, 'CFBundleVersion')
  })

  test('is read again from messages, field by field', ({ assert }) => {
    const fields = fc.array(
      fc.record({
        number: fc.integer({ min: 1, max: 536_870_911 }),
        content: fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.uint8Array()),
      })
    )
    fc.assert(
      fc.property(fields, (given) => {
        const message = Buffer.concat(
          given.map(({ number, content }) =>
            typeof content === 'bigint'
              ? Buffer.concat([varint(BigInt(number) * 8n), varint(content)])
              : bytesField(number, Buffer.from(content))
          )
        )
        const read = [...fieldsOf(message)].map(({ number, value, bytes }) => ({
          number,
          content: value ?? new Uint8Array(bytes!),
        }))
        assert.deepEqual(read, given)
      })
    )
  })

  test('the icon is the picture with the most pixels, whatever the order', async ({ assert }) => {
    const densities = fc.shuffledSubarray([120, 160, 240, 320, 480, 640], { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(densities, async (given) => {
        const name = (density: number) =>
          density === Math.max(...given) ? ICON_FILE : 'res/mipmap-mdpi/ic_launcher.png'
        const resources = given.map((density) => ({
          id: ICON,
          value: { text: name(density) },
          density,
        }))
        const { icon } = await metadataOf(writeApk({ resources }))
        assert.equal(icon!.readUInt32BE(16), 12)
      }),
      { numRuns: runs(30) }
    )
  })
})

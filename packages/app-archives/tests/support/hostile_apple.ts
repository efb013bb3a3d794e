import { infoOf, type Variant } from './hostile.js'
import { PROFILE, ipaEntries, plistText, writeIpa } from '../../writing/sane_archives.js'
import { der, writeCms } from '../../writing/write_signatures.js'
import { writeZip } from '../../writing/write_zip.js'

const INFO_NAME = 'Payload/Acme.app/Info.plist'

/** Writes a binary property list of objects; the first is the root. */
function bplist(
  objects: Buffer[],
  reported: { count?: number; start?: number; top?: number } = {}
) {
  const head = Buffer.from('bplist00')
  const offsets: number[] = []
  let at = head.length
  for (const { length } of objects) {
    offsets.push(at)
    at += length
  }
  const table = Buffer.concat(offsets.map((each) => Buffer.from([each >> 8, each & 0xff])))
  const trailer = Buffer.alloc(32)
  trailer.set([2, 1], 6)
  trailer.writeBigUInt64BE(BigInt(reported.count ?? objects.length), 8)
  trailer.writeBigUInt64BE(BigInt(reported.top ?? 0), 16)
  trailer.writeBigUInt64BE(BigInt(reported.start ?? at), 24)
  return Buffer.concat([head, ...objects, table, trailer])
}

const deepPlist = (depth: number) =>
  Buffer.from(
    `<plist version="1.0"><dict><key>k</key>${'<array>'.repeat(depth)}${'</array>'.repeat(depth)}</dict></plist>`
  )

/** Apple archives with malformed or malicious contents. */
export const HOSTILE_APPLE: Variant[] = [
  {
    name: 'a property list nested a thousand deep',
    bytes: () => infoOf(deepPlist(1000)),
    reason: /^Info.plist is nested too deeply\.$/,
  },
  {
    name: 'entities that hold entities',
    bytes: () =>
      infoOf(
        Buffer.from(
          `<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
          <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>&b;</string></dict></plist>`
        )
      ),
    reason: /^Info.plist defines entities of its own\.$/,
  },
  {
    name: 'an entity of a file of this machine',
    bytes: () =>
      infoOf(
        Buffer.from(
          `<!DOCTYPE plist SYSTEM "x" [ <!ENTITY e SYSTEM "file:///etc/passwd"> ]><plist><dict><key>CFBundleIdentifier</key><string>&e;</string></dict></plist>`
        )
      ),
    reason: /^Info.plist defines entities of its own\.$/,
  },
  {
    name: 'a property list of a million values',
    bytes: () => {
      const content = `<plist><dict>${'<key>a</key><true/>'.repeat(500_000)}</dict></plist>`
      const entries = ipaEntries().slice(1)
      return writeZip([{ name: INFO_NAME, content, stored: true }, ...entries])
    },
    reason: /^Info.plist holds too many values\.$/,
  },
  {
    name: 'a tag of a million attributes',
    bytes: () => infoOf(Buffer.from(`<plist><dict${' a=""'.repeat(1_000_000)}/></plist>`)),
    reason: /^Info.plist has tags that no property list has\.$/,
  },
  {
    name: 'a tag without an end',
    bytes: () => infoOf(Buffer.from('<plist><dict><key>')),
    reason: /^Info.plist is damaged\.$/,
  },
  {
    name: 'a property list that changes what all objects are',
    bytes: () =>
      infoOf(
        Buffer.from(
          '<plist><dict><key>__proto__</key><dict><key>a</key><true/></dict></dict></plist>'
        )
      ),
    reason: /^Info.plist is damaged\.$/,
  },
  {
    name: 'a binary list that holds itself',
    bytes: () => infoOf(bplist([Buffer.from([0xa1, 0])])),
    reason: /^Info.plist is nested too deeply\.$/,
  },
  {
    name: 'binary lists that each hold the next one twice',
    bytes: () => {
      const lists = Array.from({ length: 60 }, (_, each) => Buffer.from([0xa2, each + 1, each + 1]))
      return infoOf(bplist([...lists, Buffer.from([0x09])]))
    },
    reason: /^Info.plist holds too many values\.$/,
  },
  {
    name: 'a binary list with a large text a hundred thousand times',
    bytes: () => {
      const text = Buffer.concat([Buffer.from([0x5f, 0x11, 0x7d, 0x00]), Buffer.alloc(32_000, 'a')])
      const many = Buffer.concat([Buffer.from([0xaf, 0x11, 0x40, 0x00]), Buffer.alloc(0x4000, 1)])
      return infoOf(bplist([many, text]))
    },
    reason: /^Info.plist holds too many values\.$/,
  },
  {
    name: 'a number of 32,768 bytes in a binary list',
    bytes: () =>
      infoOf(
        bplist([
          Buffer.from([0xa1, 1]),
          Buffer.concat([Buffer.from([0x1f]), Buffer.alloc(32_768, 7)]),
        ])
      ),
    reason: /^Info.plist is damaged\.$/,
  },
  {
    name: 'a table of offsets behind the end of a binary list',
    bytes: () => infoOf(bplist([Buffer.from([0xd0])], { start: 2 ** 40 })),
    reason: /^Info.plist is damaged\.$/,
  },
  {
    name: 'more objects in a binary list than there are bytes',
    bytes: () => infoOf(bplist([Buffer.from([0xd0])], { count: 2 ** 40 })),
    reason: /^Info.plist is damaged\.$/,
  },
  {
    name: 'no app in the property list',
    bytes: () => writeIpa({ info: { CFBundleName: 'Acme' } }),
    reason: /^Info.plist names no CFBundleIdentifier\.$/,
  },
]

/** Damaged or malicious profiles, which affect nothing else. */
export const HOSTILE_PROFILES: readonly Buffer[] = [
  Buffer.alloc(0),
  Buffer.from('<plist><dict/></plist>'),
  // Indefinite lengths without an end, and a stated length of 4 GiB.
  Buffer.alloc(100_000, Buffer.from([0x30, 0x80])),
  Buffer.from('3084ffffffff0609', 'hex'),
  nestedInBytes(),
  writeCms(Buffer.from('no property list')),
  writeCms(plistText(PROFILE)).subarray(0, 400),
]

function nestedInBytes(): Buffer {
  let octets = der(0x04, plistText(PROFILE))
  for (let each = 0; each < 2000; each++) octets = der(0x24, octets)
  const data = der(0x30, der(0x31), der(0x30, der(0xa0, octets)), der(0xa0), der(0x31))
  return der(0x30, der(0xa0, data))
}

import { MIB, changed, type Variant } from './hostile.js'
import {
  DEBUG_CERTIFICATE,
  LABEL,
  MANIFEST,
  writeAab,
  writeApk,
} from '../../writing/sane_archives.js'
import { chunk, u16, u32 } from '../../writing/write_chunks.js'
import { writeBinaryXml, type XmlElement } from '../../writing/write_manifest.js'
import { varint } from '../../writing/write_protobuf.js'
import { writeResourceTable } from '../../writing/write_resources.js'
import { writeSigningBlock } from '../../writing/write_signatures.js'

const nested = (depth: number): XmlElement => {
  let element: XmlElement = { name: 'x' }
  for (let each = 0; each < depth; each++) element = { name: 'x', children: [element] }
  return { ...MANIFEST, children: [element] }
}

/** Android archives with malformed or malicious contents. */
export const HOSTILE_ANDROID: Variant[] = [
  {
    name: 'a chunk of no size in binary XML',
    bytes: () => {
      const bad = Buffer.concat([u16(0x0102, 16), u32(0)])
      return writeApk({ manifest: chunk(0x0003, Buffer.alloc(0), bad) })
    },
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
  {
    name: 'a chunk of nearly 4 GiB in binary XML',
    bytes: () =>
      writeApk({
        manifest: changed(writeBinaryXml(MANIFEST), (copy) => copy.writeUInt32LE(0xfffffff0, 12)),
      }),
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
  {
    name: 'a pool of four thousand million texts',
    bytes: () =>
      writeApk({
        manifest: changed(writeBinaryXml(MANIFEST), (copy) => copy.writeUInt32LE(0xffffffff, 16)),
      }),
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
  {
    name: 'texts outside of their pool',
    bytes: () =>
      writeApk({
        manifest: changed(writeBinaryXml(MANIFEST), (copy) => {
          for (let each = 0; each < 16; each++) copy.writeUInt32LE(0x7fffffff, 36 + 4 * each)
        }),
      }),
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
  {
    name: 'more attributes than an element has bytes',
    bytes: () =>
      writeApk({
        manifest: changed(writeBinaryXml(MANIFEST), (copy) => {
          const at = copy.indexOf(Buffer.concat([u16(0x0102, 16)]))
          copy.writeUInt16LE(0xffff, at + 28)
        }),
      }),
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
  {
    name: 'binary XML nested a thousand deep',
    bytes: () => writeApk({ manifest: nested(1000) }),
    reason: /^AndroidManifest.xml is nested too deeply\.$/,
  },
  {
    name: 'a manifest of a bundle nested a thousand deep',
    bytes: () => writeAab({ manifest: nested(1000) }),
    reason: /^AndroidManifest.xml is nested too deeply\.$/,
  },
  {
    name: 'binary XML of 250,000 elements',
    bytes: () => {
      const line = u32(1, 1)
      const one = Buffer.concat([
        chunk(0x0102, line, Buffer.concat([u32(0, 0), u16(20, 20, 0, 0, 0, 0)])),
        chunk(0x0103, line, u32(0, 0)),
      ])
      const whole = writeBinaryXml(MANIFEST)
      // Before the end of the root and of its namespace.
      const [start, end] = [whole.subarray(8, -48), whole.subarray(-48)]
      const many = Array.from({ length: 250_000 }, () => one)
      return writeApk({
        manifest: chunk(0x0003, Buffer.alloc(0), Buffer.concat([start, ...many, end])),
      })
    },
    reason: /^AndroidManifest.xml holds too many elements\.$/,
  },
  {
    name: 'a resource table whose package ends before it begins',
    bytes: () =>
      writeApk({
        resources: changed(writeResourceTable([{ id: LABEL, value: { text: 'x' } }]), (copy) => {
          const at = copy.indexOf(u16(0x0200, 288))
          copy.writeUInt32LE(3, at + 4)
        }),
      }),
    reason: /^resources.arsc is damaged\.$/,
  },
  {
    name: 'entries of resources outside of their type',
    bytes: () =>
      writeApk({
        resources: changed(writeResourceTable([{ id: LABEL, value: { text: 'x' } }]), (copy) => {
          const at = copy.indexOf(u16(0x0201, 84))
          copy.writeUInt32LE(0x7ffffff0, at + 16)
        }),
      }),
    reason: /^The resource table is damaged\.$/,
  },
  {
    name: 'a number of more than 64 bits in a message',
    bytes: () => writeAab({ manifest: Buffer.alloc(40, 0xff) }),
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
  {
    name: 'a message that is longer than what holds it',
    bytes: () => writeAab({ manifest: Buffer.concat([varint(10), varint(2n ** 62n)]) }),
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
  {
    name: 'a group in a message',
    bytes: () => writeAab({ manifest: Buffer.alloc(1000, 0x0b) }),
    reason: /^AndroidManifest.xml is damaged\.$/,
  },
  {
    name: 'a resource table of a bundle that is none',
    bytes: () => writeAab({ resources: Buffer.alloc(1000, 0x0b) }),
    reason: /^The resource table is damaged\.$/,
  },
  {
    name: 'a signing block larger than the file',
    bytes: () => {
      const signer = { scheme: 'v2' as const, certificate: DEBUG_CERTIFICATE }
      return writeApk({ block: writeSigningBlock([signer], 10n * BigInt(MIB)) })
    },
    reason: /^The signature is damaged\.$/,
  },
  {
    name: 'a signing block of 2^63 bytes',
    bytes: () => writeApk({ block: writeSigningBlock([], 2n ** 63n) }),
    reason: /^The signature is larger than it may be\.$/,
  },
  {
    name: 'a certificate that is none',
    bytes: () =>
      writeApk({ block: writeSigningBlock([{ scheme: 'v3', certificate: Buffer.from('none') }]) }),
    reason: /^The signature is damaged\.$/,
  },
]

import { crc32, deflateRawSync } from 'node:zlib'

/** Version 2.0 of the format: files are deflated. */
const VERSION = 20
/** A file has its size and checksum after it, and a name in UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8

export interface ZippedFile {
  name: string
  content: string
}

/** Makes a zip archive as GitHub's upload does: deflated, each file written before its size. */
export function zipOf(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)]
    const packed = deflateRawSync(bytes)
    const sums = Buffer.alloc(12)
    sums.writeUInt32LE(crc32(bytes), 0)
    sums.writeUInt32LE(packed.length, 4)
    sums.writeUInt32LE(bytes.length, 8)
    const entry = [
      ...[signature(3, 4), shorts(VERSION, FLAGS, DEFLATED, 0, 0), Buffer.alloc(12)],
      ...[shorts(path.length, 0), path, packed, signature(7, 8), sums],
    ]
    const at = Buffer.alloc(4)
    at.writeUInt32LE(offset)
    directory.push(
      ...[signature(1, 2), shorts(VERSION, VERSION, FLAGS, DEFLATED, 0, 0), sums],
      ...[shorts(path.length, 0, 0, 0, 0, 0, 0), at, path]
    )
    parts.push(...entry)
    offset += Buffer.concat(entry).length
  }
  const listed = Buffer.concat(directory)
  const place = Buffer.alloc(8)
  place.writeUInt32LE(listed.length, 0)
  place.writeUInt32LE(offset, 4)
  const counts = shorts(0, 0, files.length, files.length)
  return Buffer.concat([...parts, listed, signature(5, 6), counts, place, shorts(0)])
}

const signature = (...codes: number[]) => Buffer.from([0x50, 0x4b, ...codes])

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2))
  return bytes
}

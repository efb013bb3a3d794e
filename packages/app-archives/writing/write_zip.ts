import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of an archive; further members are written as given, even if they are wrong. */
export interface ZipEntry {
  name: string
  content?: Buffer | string
  stored?: boolean
  /** The compressed bytes, if not those of the content. */
  compressed?: Buffer
  method?: number
  flags?: number
  crc?: number
  size?: number
  compressedSize?: number
  /** The offset that the directory states. */
  offset?: number
  /** The name in its local header. */
  localName?: string
  /** The file mode of Unix. */
  mode?: number
  extra?: Buffer
  comment?: string
}

export interface ZipOptions {
  /** Bytes between the entries and the directory. */
  before?: Buffer
  comment?: Buffer
  entryCount?: number
  directoryStart?: number
  /** States all sizes in the zip64 records. */
  zip64?: { entryCount?: bigint; directoryStart?: bigint; locator?: bigint }
}

/** Writes a zip archive. */
export function writeZip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const { local, central } = writeEntry(entry, at)
    parts.push(local)
    directory.push(central)
    at += local.length
  }
  const before = options.before ?? Buffer.alloc(0)
  const start = options.directoryStart ?? at + before.length
  const names = Buffer.concat(directory)
  const count = options.entryCount ?? entries.length
  const tail = options.zip64
    ? zip64Tail(options.zip64, at + before.length, names.length, count)
    : Buffer.alloc(0)
  const comment = options.comment ?? Buffer.alloc(0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(options.zip64 ? 0xffff : count, 8)
  end.writeUInt16LE(options.zip64 ? 0xffff : count, 10)
  end.writeUInt32LE(options.zip64 ? 0xffffffff : names.length, 12)
  end.writeUInt32LE(options.zip64 ? 0xffffffff : start, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, before, names, tail, end, comment])
}

function writeEntry(entry: ZipEntry, at: number) {
  const content = Buffer.from(entry.content ?? '')
  const method = entry.method ?? (entry.stored ? 0 : 8)
  const compressed = entry.compressed ?? (method === 0 ? content : deflateRawSync(content))
  const name = Buffer.from(entry.name)
  const extra = entry.extra ?? Buffer.alloc(0)
  const comment = Buffer.from(entry.comment ?? '')
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt16LE(entry.flags ?? 0x800, 2)
  shared.writeUInt16LE(method, 4)
  shared.writeUInt32LE(entry.crc ?? crc32(content), 10)
  shared.writeUInt32LE(entry.compressedSize ?? compressed.length, 14)
  shared.writeUInt32LE(entry.size ?? content.length, 18)
  const localName = Buffer.from(entry.localName ?? entry.name)
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16LE(localName.length, 0)
  const local = [signature(0x04034b50), shared.subarray(0, 22), lengths, localName, compressed]
  const rest = Buffer.alloc(16)
  rest.writeUInt16LE(extra.length, 0)
  rest.writeUInt16LE(comment.length, 2)
  rest.writeUInt32LE((entry.mode ?? 0o100644) * 0x10000, 8)
  rest.writeUInt32LE(entry.offset ?? at, 12)
  shared.writeUInt16LE(name.length, 22)
  const central = Buffer.concat([
    signature(0x02014b50),
    // The creator is Unix.
    Buffer.from([20, 3]),
    shared.subarray(0, 24),
    rest,
    name,
    extra,
    comment,
  ])
  return { local: Buffer.concat(local), central }
}

function zip64Tail(
  reported: NonNullable<ZipOptions['zip64']>,
  start: number,
  length: number,
  count: number
): Buffer {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(reported.entryCount ?? BigInt(count), 24)
  record.writeBigUInt64LE(reported.entryCount ?? BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(length), 40)
  record.writeBigUInt64LE(reported.directoryStart ?? BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(reported.locator ?? BigInt(start + length), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

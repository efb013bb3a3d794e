import { bytesAt } from '../unreadable.ts'

/** The types of chunks (ResourceTypes.h of the Android platform). */
export const CHUNK = {
  stringPool: 0x0001,
  table: 0x0002,
  xml: 0x0003,
  startElement: 0x0102,
  endElement: 0x0103,
  resourceMap: 0x0180,
  package: 0x0200,
  type: 0x0201,
} as const

/** A part that states its own size; offsets in it are relative to its first byte. */
export interface Chunk {
  type: number
  headerSize: number
  bytes: Buffer
}

/** Returns the chunk at an offset. @throws RangeError if its sizes are invalid */
export function chunkAt(buffer: Buffer, at: number): Chunk {
  const type = buffer.readUInt16LE(at)
  const headerSize = buffer.readUInt16LE(at + 2)
  const size = buffer.readUInt32LE(at + 4)
  if (headerSize < 8 || size < headerSize) throw new RangeError('A chunk without a header')
  return { type, headerSize, bytes: bytesAt(buffer, at, size) }
}

/** Yields the chunks inside a chunk. @throws RangeError */
export function* chunksIn({ bytes, headerSize }: Chunk): Generator<Chunk> {
  for (let at = headerSize; at < bytes.length;) {
    const chunk = chunkAt(bytes, at)
    yield chunk
    at += chunk.bytes.length
  }
}

const UTF8 = 0x100
/** The maximum length of a text in a pool, in characters of its encoding. */
const MAX_LENGTH = 32_767

/** A pool of texts, which are referenced by index. */
export class StringPool {
  readonly #bytes: Buffer
  readonly #count: number
  readonly #start: number
  readonly #offsets: number
  readonly #isUtf8: boolean

  /** @throws RangeError */
  constructor({ bytes, headerSize }: Chunk) {
    this.#bytes = bytes
    this.#count = bytes.readUInt32LE(8)
    this.#isUtf8 = (bytes.readUInt32LE(16) & UTF8) !== 0
    this.#start = bytes.readUInt32LE(20)
    this.#offsets = headerSize
    bytesAt(bytes, headerSize, this.#count * 4)
  }

  /** @throws RangeError if there is no such text */
  get(index: number): string {
    if (!(index < this.#count)) throw new RangeError('No such text')
    const at = this.#start + this.#bytes.readUInt32LE(this.#offsets + 4 * index)
    return this.#isUtf8 ? this.#utf8(at) : this.#utf16(at)
  }

  /** The text is preceded by two lengths: in characters, and in bytes. */
  #utf8(at: number): string {
    const characters = (this.#bytes.readUInt8(at) & 0x80) === 0 ? 1 : 2
    const first = this.#bytes.readUInt8(at + characters)
    const isLong = (first & 0x80) !== 0
    const length = isLong
      ? ((first & 0x7f) << 8) | this.#bytes.readUInt8(at + characters + 1)
      : first
    const start = at + characters + (isLong ? 2 : 1)
    return bytesAt(this.#bytes, start, length).toString('utf8')
  }

  #utf16(at: number): string {
    const first = this.#bytes.readUInt16LE(at)
    const isLong = (first & 0x8000) !== 0
    const length = isLong ? ((first & 0x7fff) << 16) | this.#bytes.readUInt16LE(at + 2) : first
    if (length > MAX_LENGTH) throw new RangeError('A text that is too long')
    return bytesAt(this.#bytes, at + (isLong ? 4 : 2), 2 * length).toString('utf16le')
  }
}

const NO_ENTRY = 0xffffffff

/** Returns the index of a text in a pool; null for no text. */
export const textIndex = (bytes: Buffer, at: number): number | null => {
  const index = bytes.readUInt32LE(at)
  return index === NO_ENTRY ? null : index
}

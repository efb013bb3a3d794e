/** Values in Android's binary XML and resource tables. */
export type TypedValue =
  | { text: string }
  | { reference: number }
  | { number: number }
  | { flag: boolean }

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, index) => bytes.writeUInt16LE(value, 2 * index))
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, 4 * index))
  return bytes
}

/** Writes a chunk from its type, the rest of its header, and its body. */
export function chunk(type: number, header: Buffer, body: Buffer): Buffer {
  return Buffer.concat([
    u16(type, 8 + header.length),
    u32(8 + header.length + body.length),
    header,
    body,
  ])
}

/** Collects distinct texts and writes them as a pool. */
export class Texts {
  readonly #texts: string[] = []

  constructor(private readonly encoding: 'utf8' | 'utf16le' = 'utf16le') {}

  index(text: string): number {
    const found = this.#texts.indexOf(text)
    return found === -1 ? this.#texts.push(text) - 1 : found
  }

  value(value: TypedValue): { type: number; data: number; raw: number } {
    if ('text' in value) {
      const index = this.index(value.text)
      return { type: 0x03, data: index, raw: index }
    }
    const raw = 0xffffffff
    if ('reference' in value) return { type: 0x01, data: value.reference, raw }
    if ('flag' in value) return { type: 0x12, data: value.flag ? 0xffffffff : 0, raw }
    return { type: 0x10, data: value.number, raw }
  }

  write(): Buffer {
    const isUtf8 = this.encoding === 'utf8'
    const written = this.#texts.map((text) => (isUtf8 ? utf8(text) : utf16(text)))
    const offsets: number[] = []
    let at = 0
    for (const { length } of written) {
      offsets.push(at)
      at += length
    }
    const padding = Buffer.alloc((4 - (at % 4)) % 4)
    const start = 28 + 4 * offsets.length
    return chunk(
      0x0001,
      u32(written.length, 0, isUtf8 ? 0x100 : 0, start, 0),
      Buffer.concat([u32(...offsets), ...written, padding])
    )
  }
}

function utf8(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = (value: number) =>
    value < 0x80 ? Buffer.from([value]) : Buffer.from([0x80 | (value >> 8), value & 0xff])
  return Buffer.concat([length(text.length), length(bytes.length), bytes, Buffer.alloc(1)])
}

function utf16(text: string): Buffer {
  const { length } = text
  const prefix = length < 0x8000 ? u16(length) : u16(0x8000 | (length >> 16), length & 0xffff)
  return Buffer.concat([prefix, Buffer.from(text, 'utf16le'), u16(0)])
}

import { LIMITS } from './limits.ts'
import { bytesAt } from './unreadable.ts'

/** The ASN.1 tags in signatures: the first byte of a value. */
export const TAG = {
  integer: 0x02,
  octets: 0x04,
  constructedOctets: 0x24,
  sequence: 0x30,
  set: 0x31,
  /** The context-specific tag 0 of an optional element. */
  context0: 0xa0,
} as const

/** An ASN.1 value; `end` is the offset of the next one. */
export interface Asn1Value {
  tag: number
  content: Buffer
  /** The encoded value, including its tag and length. */
  whole: Buffer
  end: number
}

const INDEFINITE = 0x80

/**
 * Reads a value in DER, or in BER with an indefinite length, which provisioning profiles may have.
 * @throws RangeError if there is none, or it is nested too deeply
 */
export function valueAt(buffer: Buffer, at: number, depth = 0): Asn1Value {
  const tag = buffer.readUInt8(at)
  // Signatures contain no multi-byte tags.
  if ((tag & 0x1f) === 0x1f || depth > LIMITS.depth)
    throw new RangeError('An unsupported tag, or values nested too deeply')
  const first = buffer.readUInt8(at + 1)
  if (first === INDEFINITE) return indefiniteAt(buffer, at, tag, depth)
  const isShort = first < INDEFINITE
  const width = isShort ? 0 : first & 0x7f
  if (width > 4) throw new RangeError('A length field that is too long')
  const length = isShort ? first : buffer.readUIntBE(at + 2, width)
  const start = at + 2 + width
  const content = bytesAt(buffer, start, length)
  const end = start + length
  return { tag, content, whole: buffer.subarray(at, end), end }
}

/** Reads a value of indefinite length, which ends with two zero bytes. */
function indefiniteAt(buffer: Buffer, at: number, tag: number, depth: number): Asn1Value {
  if ((tag & 0x20) === 0)
    throw new RangeError('Only constructed values may have an indefinite length')
  const start = at + 2
  let next = start
  while (buffer.readUInt16BE(next) !== 0) next = valueAt(buffer, next, depth + 1).end
  const end = next + 2
  return { tag, content: buffer.subarray(start, next), whole: buffer.subarray(at, end), end }
}

/** Yields the values inside a value. @throws RangeError */
export function* valuesIn(content: Buffer): Generator<Asn1Value> {
  for (let at = 0; at < content.length;) {
    const value = valueAt(content, at)
    yield value
    at = value.end
  }
}

/** Returns the first value with a tag inside a value. @throws RangeError if there is none */
export function firstIn(content: Buffer, tag: number): Asn1Value {
  for (const value of valuesIn(content)) if (value.tag === tag) return value
  throw new RangeError('A value is missing')
}

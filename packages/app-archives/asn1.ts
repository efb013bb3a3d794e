import { LIMITS } from './limits.ts'
import { bytesAt } from './unreadable.ts'

/** The ASN.1 tags in signatures, as the first byte of a value. */
export const TAG = {
  integer: 0x02,
  octets: 0x04,
  constructedOctets: 0x24,
  sequence: 0x30,
  set: 0x31,
  /** The optional element 0 of a sequence. */
  context0: 0xa0,
} as const

/** An ASN.1 value; `end` is the offset of the next one. */
export interface Asn1Value {
  tag: number
  content: Buffer
  /** The value with its tag and length. */
  whole: Buffer
  end: number
}

const INDEFINITE = 0x80

/**
 * Reads a value in DER, or with the indefinite lengths of BER that tools for profiles write.
 * @throws RangeError if there is none, or it is nested too deeply
 */
export function valueAt(buffer: Buffer, at: number, depth = 0): Asn1Value {
  const tag = buffer.readUInt8(at)
  // Signatures have no tags of several bytes.
  if ((tag & 0x1f) === 0x1f || depth > LIMITS.depth) throw new RangeError('No value of a signature')
  const first = buffer.readUInt8(at + 1)
  if (first === INDEFINITE) return indefiniteAt(buffer, at, tag, depth)
  const isShort = first < INDEFINITE
  const width = isShort ? 0 : first & 0x7f
  if (width > 4) throw new RangeError('A length that is too long')
  const length = isShort ? first : buffer.readUIntBE(at + 2, width)
  const start = at + 2 + width
  const content = bytesAt(buffer, start, length)
  const end = start + length
  return { tag, content, whole: buffer.subarray(at, end), end }
}

/** Reads a value of indefinite length: its parts up to two zero bytes. */
function indefiniteAt(buffer: Buffer, at: number, tag: number, depth: number): Asn1Value {
  if ((tag & 0x20) === 0) throw new RangeError('Only what holds values may leave its length open')
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

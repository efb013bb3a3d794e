import { bytesAt } from '../unreadable.ts'

/** A field of a message: a number, or bytes that may encode a text or a message. */
type ProtobufField =
  | { number: number; value: bigint; bytes: null }
  | { number: number; value: null; bytes: Buffer }

const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5
const MAX_VARINT = 10

/**
 * Yields the fields of a message in order. Refuses groups, which are obsolete.
 * @throws RangeError
 */
export function* fieldsOf(message: Buffer): Generator<ProtobufField> {
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let each = 0; each < MAX_VARINT; each++) {
      const byte = message.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << BigInt(7 * each)
      if (byte < 0x80) {
        if (value > 0xffffffffffffffffn) break
        return value
      }
    }
    throw new RangeError('A number of more than 64 bits')
  }
  const fixed = (size: number): bigint => {
    const bytes = bytesAt(message, at, size)
    at += size
    return size === 8 ? bytes.readBigUInt64LE() : BigInt(bytes.readUInt32LE())
  }
  while (at < message.length) {
    const key = Number(varint())
    const [number, wire] = [Math.floor(key / 8), key % 8]
    if (number < 1 || number > 536_870_911) throw new RangeError('An invalid field number')
    if (wire === VARINT) yield { number, value: varint(), bytes: null }
    else if (wire === FIXED_64) yield { number, value: fixed(8), bytes: null }
    else if (wire === FIXED_32) yield { number, value: fixed(4), bytes: null }
    else if (wire === BYTES) {
      const length = Number(varint())
      const bytes = bytesAt(message, at, length)
      at += length
      yield { number, value: null, bytes }
    } else throw new RangeError('An unknown wire type')
  }
}

/** Yields the values of a repeated field of messages, texts or bytes. @throws RangeError */
export function* messagesOf(message: Buffer, number: number): Generator<Buffer> {
  for (const field of fieldsOf(message)) {
    if (field.number === number && field.bytes !== null) yield field.bytes
  }
}

/** Returns the last value of a field, which counts; null if absent. @throws RangeError */
export function messageOf(message: Buffer, number: number): Buffer | null {
  let found: Buffer | null = null
  for (const bytes of messagesOf(message, number)) found = bytes
  return found
}

/** Returns the number in a field; 0 if it is absent. @throws RangeError */
export function numberOf(message: Buffer, number: number): number {
  let found = 0n
  for (const field of fieldsOf(message)) {
    if (field.number === number && field.value !== null) found = field.value
  }
  return Number(BigInt.asUintN(32, found))
}

/** Returns the text in a field; empty if it is absent. @throws RangeError */
export const textOf = (message: Buffer, number: number) =>
  messageOf(message, number)?.toString('utf8') ?? ''

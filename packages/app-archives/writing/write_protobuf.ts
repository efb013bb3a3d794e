export function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, BigInt(value))
  do {
    const rest = left >> 7n
    bytes.push(Number(left & 0x7fn) | (rest > 0n ? 0x80 : 0))
    left = rest
  } while (left > 0n)
  return Buffer.from(bytes)
}

/** Writes a field of bytes. */
export const bytesField = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])

/** Writes a field that contains a message. */
export const field = (number: number, ...fields: Buffer[]): Buffer =>
  bytesField(number, Buffer.concat(fields))

export const textField = (number: number, text: string): Buffer =>
  text === '' ? Buffer.alloc(0) : bytesField(number, Buffer.from(text))

export const numberField = (number: number, value: number): Buffer =>
  value === 0 ? Buffer.alloc(0) : Buffer.concat([varint(number * 8), varint(value)])

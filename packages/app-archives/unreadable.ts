/** Why a file cannot be read, in words for who uploaded it; nothing of the file is in them. */
export class Unreadable extends Error {}

/**
 * Reads a part of a file. Whatever goes wrong in it, a text that lies outside of the part or a
 * library that refuses it, means that the part is damaged.
 * @throws Unreadable
 */
export function reading<Result>(part: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(`${part} is damaged.`, { cause: error })
  }
}

/** Bytes of a buffer, all of them there. @throws RangeError */
export function bytesAt(buffer: Buffer, start: number, length: number): Buffer {
  const end = start + length
  if (!(start >= 0 && length >= 0 && end <= buffer.length)) {
    throw new RangeError('Outside of the part')
  }
  return buffer.subarray(start, end)
}

/** A file that cannot be read. Its message is for the uploader, and contains nothing of the file. */
export class Unreadable extends Error {}

/**
 * Reads a part of a file. Any error, such as a value outside of the part or a failing library, means
 * that the part is damaged.
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

/** Returns bytes of a buffer. @throws RangeError if they are not all there */
export function bytesAt(buffer: Buffer, start: number, length: number): Buffer {
  const end = start + length
  if (!(start >= 0 && length >= 0 && end <= buffer.length)) {
    throw new RangeError('Outside of the part')
  }
  return buffer.subarray(start, end)
}

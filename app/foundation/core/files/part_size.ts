const MIB = 1024 ** 2

/** Most parts of one upload (S3: Multipart upload limits). */
export const MOST_PARTS = 10_000

/** More than the 5 MiB that S3 wants of every part but the last. */
const LEAST = 8 * MIB

/**
 * The size of the parts that a file is sent in, in whole MiB: small, since parts are held in
 * memory, and such that the parts suffice for the file.
 * @param size of the file, in bytes
 */
export function partSizeOf(size: number): number {
  return Math.max(LEAST, Math.ceil(size / MOST_PARTS / MIB) * MIB)
}

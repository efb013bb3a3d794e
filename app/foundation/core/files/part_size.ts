const MIB = 1024 ** 2

/** Maximum number of parts of one upload (S3: Multipart upload limits). */
export const MOST_PARTS = 10_000

/** More than the 5 MiB that S3 requires of every part but the last. */
const LEAST = 8 * MIB

/**
 * The size of a file's parts, in whole MiB: as small as the maximum number of parts allows, since
 * parts are held in memory.
 * @param size of the file, in bytes
 */
export function partSizeOf(size: number): number {
  return Math.max(LEAST, Math.ceil(size / MOST_PARTS / MIB) * MIB)
}

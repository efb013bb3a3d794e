const MIB = 1024 ** 2

/** Maximum number of parts of one upload (S3: Multipart upload limits). */
export const MAX_PARTS = 10_000

/** More than the 5 MiB that S3 requires of every part but the last. */
const MIN_PART_SIZE = 8 * MIB

/**
 * Returns the size of a file's parts, in whole MiB: as small as the maximum number of parts allows,
 * since parts are held in memory.
 * @param size of the file, in bytes
 */
export function partSizeOf(size: number): number {
  return Math.max(MIN_PART_SIZE, Math.ceil(size / MAX_PARTS / MIB) * MIB)
}

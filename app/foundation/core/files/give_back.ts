/** Minimum size of a chunk that is worth releasing by itself, in bytes. */
const WORTH = 4 * 1024

/**
 * Releases the memory of a processed chunk that nobody else reads. Leaving it to the garbage
 * collector would make streams trigger full collections again and again. A chunk that is part of a
 * larger buffer is left alone, because somebody may hold the rest.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < WORTH || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** Least size of a chunk that is worth giving back by itself, in bytes. */
const WORTH = 4 * 1024

/**
 * Gives back the memory of a chunk that has passed and that nobody else looks at. Left to the
 * collector, a few bytes that pass make it look at all there is, again and again. Of a chunk that
 * is part of something larger nothing happens: somebody may hold the rest.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < WORTH || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

import { LIMITS } from './limits.ts'
import { Unreadable, bytesAt } from './unreadable.ts'

const PNG = '89504e470d0a1a0a'

export const isPng = (bytes: Buffer) => bytes.subarray(0, 8).toString('hex') === PNG

/** Returns whether bytes are a PNG, JPEG or WebP, not a vector or a compiled drawable. */
export function isPicture(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 12).toString('latin1')
  return (
    isPng(bytes) ||
    start.startsWith('\xff\xd8\xff') ||
    (start.startsWith('RIFF') && start.endsWith('WEBP'))
  )
}

interface PngChunk {
  type: string
  data: Buffer
}

/** Yields the chunks of a PNG without verifying checksums. @throws RangeError if it is truncated */
export function* chunksOf(bytes: Buffer): Generator<PngChunk> {
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    yield { type, data: bytesAt(bytes, at + 8, length) }
    if (type === 'IEND') return
    at += length + 12
  }
}

export interface PngHeader {
  width: number
  height: number
  depth: number
  colour: number
  interlaced: boolean
}

/** @throws Unreadable if a side is too long or 0; RangeError */
export function headerOf(data: Buffer): PngHeader {
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const max = LIMITS.iconPixels
  if (width < 1 || height < 1 || width > max || height > max) {
    throw new Unreadable(`The sides of the icon must have from 1 to ${max} pixels.`)
  }
  return {
    width,
    height,
    depth: data.readUInt8(8),
    colour: data.readUInt8(9),
    interlaced: data.readUInt8(12) !== 0,
  }
}

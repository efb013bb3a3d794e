import { crc32, deflateSync, inflateRawSync } from 'node:zlib'
import { chunksOf, headerOf, type PngHeader } from '../png.ts'
import { Unreadable } from '../unreadable.ts'

/*
 * Xcode rewrites the PNGs of an app for Apple devices: with a chunk `CgBI` at the start, without the
 * zlib header and checksum around the compressed pixels, and with colours as blue, green and red that
 * are multiplied by alpha. Other software cannot show such files.
 */

const TRUECOLOUR = 2
const WITH_ALPHA = 6
/** The number of pixels of a store's icon; restoring larger ones would take too long. */
const MAX_PIXELS = 1024 * 1024

/**
 * Restores a standard PNG from Xcode's; returns any other PNG unchanged.
 * @throws Unreadable for an unsupported size or format; RangeError if it is damaged
 */
export function restorePng(bytes: Buffer): Buffer {
  const compressed: Buffer[] = []
  let header: PngHeader | null = null
  let isApple = false
  for (const { type, data } of chunksOf(bytes)) {
    if (type === 'CgBI') isApple = true
    else if (type === 'IHDR') header ??= headerOf(data)
    else if (type === 'IDAT' && isApple) compressed.push(data)
  }
  if (!header) throw new RangeError('No header')
  if (!isApple) return bytes
  const { width, height, depth, colour, interlaced } = header
  if (depth !== 8 || interlaced || (colour !== TRUECOLOUR && colour !== WITH_ALPHA)) {
    throw new Unreadable('The icon is a PNG of a form that is not restored.')
  }
  if (width * height > MAX_PIXELS) {
    throw new Unreadable(`The icon has more than ${MAX_PIXELS} pixels.`)
  }
  const pixelBytes = colour === WITH_ALPHA ? 4 : 3
  const stride = width * pixelBytes
  const rows = inflateRawSync(Buffer.concat(compressed), {
    maxOutputLength: (stride + 1) * height,
  })
  if (rows.length !== (stride + 1) * height) throw new RangeError('Pixels are missing')
  undoFilters(rows, stride, pixelBytes)
  restoreColours(rows, stride, pixelBytes)
  return encode(header, rows)
}

/** Undoes the filter of each row (PNG, section 9), and marks the rows as unfiltered. */
function undoFilters(rows: Buffer, stride: number, pixelBytes: number): void {
  for (let start = 0, above = -1; start < rows.length; above = start, start += stride + 1) {
    const filter = rows[start]
    if (filter > 4) throw new RangeError('No such filter')
    rows[start] = 0
    for (let each = 1; each <= stride; each++) {
      const at = start + each
      const left = each > pixelBytes ? rows[at - pixelBytes] : 0
      const up = above < 0 ? 0 : rows[above + each]
      const corner = above < 0 || each <= pixelBytes ? 0 : rows[above + each - pixelBytes]
      rows[at] += predicted(filter, left, up, corner)
    }
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, corner)
    default:
      return 0
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const toLeft = Math.abs(guess - left)
  const toUp = Math.abs(guess - up)
  const toCorner = Math.abs(guess - corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function restoreColours(rows: Buffer, stride: number, pixelBytes: number): void {
  for (let start = 1; start < rows.length; start += stride + 1) {
    for (let at = start; at < start + stride; at += pixelBytes) {
      const alpha = pixelBytes === 4 ? rows[at + 3] : 255
      const [blue, green, red] = [rows[at], rows[at + 1], rows[at + 2]]
      rows[at] = unmultiplied(red, alpha)
      rows[at + 1] = unmultiplied(green, alpha)
      rows[at + 2] = unmultiplied(blue, alpha)
    }
  }
}

const unmultiplied = (value: number, alpha: number) =>
  alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha))

function encode({ width, height, colour }: PngHeader, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  header.writeUInt8(colour, 9)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

export interface Picture {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row. */
  pixels: Buffer
}

/** Returns a picture of one colour. */
export const plainPicture = (side: number, colour = [37, 99, 235, 255]): Picture => ({
  width: side,
  height: side,
  pixels: Buffer.from(Array.from({ length: side * side }, () => colour).flat()),
})

/** Writes a standard PNG. */
export function writePng({ width, height, pixels }: Picture): Buffer {
  return file([
    header(width, height),
    chunk('IDAT', deflateSync(filtered(pixels, width * 4, () => 0))),
  ])
}

/**
 * Writes a PNG in Apple's variant: BGRA with premultiplied alpha, compressed without a header.
 * @param filterOf returns the filter of a row, from 0 to 4
 */
export function writeApplePng(
  { width, height, pixels }: Picture,
  filterOf: (row: number) => number = (row) => row % 5
): Buffer {
  const converted = Buffer.from(pixels)
  for (let at = 0; at < converted.length; at += 4) {
    const [red, green, blue, alpha] = pixels.subarray(at, at + 4)
    const premultiplied = (value: number) => Math.round((value * alpha) / 255)
    converted.set([premultiplied(blue), premultiplied(green), premultiplied(red), alpha], at)
  }
  return file([
    chunk('CgBI', Buffer.from('50002002', 'hex')),
    header(width, height),
    chunk('IDAT', deflateRawSync(filtered(converted, width * 4, filterOf))),
  ])
}

export function header(width: number, height: number, depth = 8, colour = 6, interlace = 0) {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth, colour, 0, 0, interlace], 8)
  return chunk('IHDR', data)
}

export const file = (chunks: Buffer[]) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', Buffer.alloc(0))])

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Applies the row filters that precede compression (PNG, section 9). */
function filtered(pixels: Buffer, stride: number, filterOf: (row: number) => number): Buffer {
  const rows: Buffer[] = []
  for (let row = 0; row * stride < pixels.length; row++) {
    const filter = filterOf(row)
    const at = (y: number, x: number) => (y < 0 || x < 0 ? 0 : pixels[y * stride + x])
    const bytes = Array.from({ length: stride }, (_, x) => {
      const [a, b, c] = [at(row, x - 4), at(row - 1, x), x < 4 ? 0 : at(row - 1, x - 4)]
      const p = a + b - c
      const nearest = [a, b, c].reduce((one, other) =>
        Math.abs(p - other) < Math.abs(p - one) ? other : one
      )
      const predicted = [0, a, b, (a + b) >> 1, nearest][filter]
      return (at(row, x) - predicted) & 0xff
    })
    rows.push(Buffer.from([filter, ...bytes]))
  }
  return Buffer.concat(rows)
}

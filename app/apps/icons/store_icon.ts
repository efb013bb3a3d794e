import { createHash } from 'node:crypto'
import { storeFile } from '#foundation/core/files/stored_files'
import { randomText } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'

const MAX_PIXELS = 4096
const SIDE = 512
const FORMATS = new Set(['png', 'jpeg', 'webp'])
const NAME = /^[0-9A-Za-z]{24}([0-9a-f]{32})?\.png$/

/** The folder of icons in the file store. */
export const ICONS = 'icons/'

/** Returns the key under which an icon is stored. */
export const iconKey = (name: string) => `${ICONS}${name}`

/** Returns the first digits of the SHA-256 of an icon, or null for an old name without them. */
export const digestOf = (name: string): string | null => NAME.exec(name)?.[1] ?? null

/** Returns whether a name has the form of those that `storeIcon` creates. */
export const isIconName = (name: string) => NAME.test(name)

/** Returns whether two names are of the same picture. A name without a digest matches none. */
export function isSamePicture(one: string, other: string): boolean {
  const digest = digestOf(one)
  return digest !== null && digest === digestOf(other)
}

/**
 * Stores a picture as an icon, before the transaction that references it.
 * @param picture the path of a file, or bytes
 * @returns its name, which cannot be guessed and ends with a digest of the picture
 * @throws invalid_input when it is not a PNG, JPEG or WebP of at most 4096 px a side
 */
export async function storeIcon(picture: string | Buffer): Promise<string> {
  const icon = await encodeIcon(picture)
  const digest = createHash('sha256').update(icon).digest('hex').slice(0, 32)
  const name = `${randomText(24)}${digest}.png`
  await storeFile(iconKey(name), icon, 'image/png')
  return name
}

/**
 * Re-encodes the visible picture as a new PNG. Everything else in the file is dropped.
 * @throws invalid_input when it is not a PNG, JPEG or WebP of at most 4096 px a side
 */
export async function encodeIcon(picture: string | Uint8Array): Promise<Buffer> {
  const notAnImage = () =>
    refuse('invalid_input', {
      detail: `The file must be a PNG, JPEG or WebP image of at most ${MAX_PIXELS} pixels a side.`,
      errors: [{ pointer: '/file', code: 'image', message: 'This picture cannot be used.' }],
    })
  // Loaded lazily: the library is large, and most requests contain no picture.
  const { default: sharp } = await import('sharp')
  // No picture is read twice, and the cache would keep deleted files open.
  sharp.cache(false)
  try {
    const image = sharp(picture, { limitInputPixels: MAX_PIXELS * MAX_PIXELS, failOn: 'error' })
    const { format, width, height } = await image.metadata()
    if (!FORMATS.has(format) || width > MAX_PIXELS || height > MAX_PIXELS) throw notAnImage()
    return await image
      .rotate()
      .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch {
    throw notAnImage()
  }
}

import { storeFile } from '#foundation/core/files/stored_files'
import { randomText } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'

const MAX_PIXELS = 4096
const SIDE = 512
const FORMATS = new Set(['png', 'jpeg', 'webp'])
const NAME = /^[0-9A-Za-z]{24}\.png$/

/** Where Drive keeps the icon of a name. */
export const iconKey = (name: string) => `icons/${name}`

/** Whether a name may be one that `storeIcon` gave. */
export const isIconName = (name: string) => NAME.test(name)

/**
 * Stores a picture as an icon, before the transaction that names it.
 * @param picture the path of a file, or bytes
 * @returns its name, which cannot be guessed
 * @throws invalid_input when it is not a PNG, JPEG or WebP of at most 4096 px a side
 */
export async function storeIcon(picture: string | Buffer): Promise<string> {
  const icon = await encodeIcon(picture)
  const name = `${randomText(24)}.png`
  await storeFile(iconKey(name), icon, 'image/png')
  return name
}

/** A PNG of ours with what can be seen of the picture: whatever else the file held is gone. */
async function encodeIcon(picture: string | Buffer): Promise<Buffer> {
  const notAnImage = () =>
    refuse('invalid_input', {
      detail: `The file must be a PNG, JPEG or WebP image of at most ${MAX_PIXELS} pixels a side.`,
      errors: [{ pointer: '/file', code: 'image', message: 'Not a picture that can be used.' }],
    })
  // Loaded at the first picture: it is large, and most requests bring none.
  const { default: sharp } = await import('sharp')
  // No picture is seen twice; the cache would keep files open that are gone.
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

import drive from '@adonisjs/drive/services/main'
import { randomText } from '#foundation/core/ids'
import type { RawBody } from '#foundation/api/operation/declaration'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { findApp } from '../queries/find_app.js'
import { removeIconFile } from './remove_icon_file.js'

const MAX_PIXELS = 4096
const SIDE = 512
const FORMATS = new Set(['png', 'jpeg', 'webp'])

/**
 * Turns an uploaded picture into a PNG of ours. Pictures are never handed on as they came, so
 * whatever else the file held is gone; SVG, which can hold scripts, is refused.
 * @throws invalid_input when it is not a PNG, JPEG or WebP of at most 4096 px a side.
 */
export async function encodeIcon(file: RawBody): Promise<Buffer> {
  const notAnImage = () =>
    refuse('invalid_input', {
      detail: `The file must be a PNG, JPEG or WebP image of at most ${MAX_PIXELS} pixels a side.`,
      errors: [{ pointer: '/file', code: 'image', message: 'Not a picture that can be used.' }],
    })
  // Loaded at the first picture: it is large, and most requests bring none.
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(file.bytes, { limitInputPixels: MAX_PIXELS * MAX_PIXELS, failOn: 'error' })
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

/** Stores the icon of an app; the one before is removed once the new one is in force. */
export class UploadIcon {
  constructor(private readonly scope: Scope) {}

  /** @param picture as `encodeIcon` made it, before the transaction was opened */
  async handle(appId: string, picture: Buffer): Promise<string> {
    const app = await findApp(this.scope, appId)
    const name = `${randomText(24)}.png`
    const disk = drive.use()
    await disk.put(`icons/${name}`, picture)
    this.scope.transaction.after('rollback', () => disk.delete(`icons/${name}`))
    const before = app.iconFile
    app.iconFile = name
    app.updatedAt = this.scope.now
    await app.useTransaction(this.scope.transaction).save()
    if (before) removeIconFile(this.scope, before)
    return name
  }
}

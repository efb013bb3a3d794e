import { iconKey } from '#apps/icons/store_icon'
import { findApp } from '#apps/queries/find_app'
import { readStoredFile } from '#foundation/core/files/stored_files'
import { storedKey } from '#foundation/core/files/stored_key'
import type { Scope } from '#foundation/core/scope'
import { filesOf } from '../queries/build_entities.js'

/** The side lengths of the icons that iOS fetches while it installs, in pixels. */
const ICON_SIDES = { small: 57, large: 512 } as const
export type IconSize = keyof typeof ICON_SIDES

/** The icon if neither the build nor the app has one. */
const DEFAULT_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" fill="#1d55e8"/><path d="M256 128v176m-80-72 80 80 80-80M144 384h224" fill="none" stroke="#fff" stroke-width="40" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Returns the icon of a build as a square PNG: its own, that of its app, or the default. */
export async function iconOf(
  scope: Scope,
  { id, appId }: { id: string; appId: string },
  size: IconSize
): Promise<Buffer> {
  const side = ICON_SIDES[size]
  const picture =
    (await ownIcon(scope, id)) ?? (await appIcon(scope, appId)) ?? Buffer.from(DEFAULT_ICON)
  const { default: sharp } = await import('sharp')
  return sharp(picture).resize(side, side, { fit: 'cover' }).png().toBuffer()
}

async function ownIcon(scope: Scope, buildId: string): Promise<Buffer | null> {
  const icon = (await filesOf(scope, [buildId])).find(({ kind }) => kind === 'icon')
  const key = icon?.fileId ? await storedKey(scope, icon.fileId) : null
  return key === null ? null : readStoredFile(key)
}

async function appIcon(scope: Scope, appId: string): Promise<Buffer | null> {
  const { iconFile } = await findApp(scope, appId)
  return iconFile === null ? null : readStoredFile(iconKey(iconFile))
}

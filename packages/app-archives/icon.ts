import { restorePng } from './apple/restore_png.ts'
import { LIMITS } from './limits.ts'
import { isPicture, isPng } from './png.ts'
import type { Archive } from './read_zip.ts'
import { Unreadable, reading } from './unreadable.ts'

/** The maximum number of files that are opened in search of an icon. */
const TRIES = 6
const CALLED = 'The icon'

/** A picture, or the reason why there is none. */
export type Icon = { picture: Buffer; failure: null } | { picture: null; failure: string }

export const noIcon = (failure: string): Icon => ({ picture: null, failure })

/**
 * Returns the first of some files that is a picture. An unreadable file does not affect the rest of
 * the archive.
 * @param names the paths of the files, the best first
 * @param without the reason to give if there is no such file
 */
export async function findIcon(
  archive: Archive,
  names: Iterable<string>,
  without = 'The archive holds no picture of its icon.'
): Promise<Icon> {
  let failure = without
  let tries = 0
  for (const name of new Set(names)) {
    if (!archive.has(name)) continue
    if ((tries += 1) > TRIES) break
    try {
      const bytes = await archive.read(name, LIMITS.iconBytes, CALLED)
      if (!isPicture(bytes)) {
        failure = 'The icon is drawn, not a picture.'
        continue
      }
      const picture = isPng(bytes) ? reading(CALLED, () => restorePng(bytes)) : bytes
      return { picture, failure: null }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      failure = error.message
    }
  }
  return noIcon(failure)
}

import { AAB, APK } from './android/layouts.ts'
import { readAndroid } from './android/read_android.ts'
import { infoNames, readIpa } from './apple/read_ipa.ts'
import type { RemoteFile } from './byte_source.ts'
import type { ArchiveResult } from './metadata.ts'
import { withArchive, type Archive } from './read_zip.ts'
import { Unreadable } from './unreadable.ts'

/**
 * Reads the metadata of an app from an `.ipa`, `.apk` or `.aab`. Its contents determine its type,
 * whatever its name.
 * @param file the path of a local file, or a remote file
 */
export async function readArchive(file: string | RemoteFile): Promise<ArchiveResult> {
  try {
    return await withArchive(file, read)
  } catch (error) {
    if (error instanceof Unreadable) return { isRead: false, reason: error.message }
    // Circular or endless nesting that parsers do not check for.
    if (error instanceof RangeError) return { isRead: false, reason: 'The archive is damaged.' }
    throw error
  }
}

async function read(archive: Archive): Promise<ArchiveResult> {
  const infos = infoNames(archive)
  const layouts = [APK, AAB].filter(({ manifest }) => archive.has(manifest))
  if (infos.length + layouts.length > 1) {
    throw new Unreadable('The archive holds the manifests of several apps.')
  }
  if (infos.length === 1) return readIpa(archive, infos[0])
  if (layouts.length === 1) return readAndroid(archive, layouts[0])
  throw new Unreadable('It is no .ipa, .apk or .aab: it holds no manifest of an app.')
}

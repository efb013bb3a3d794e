import { apkEntries, writeIpa } from '../../writing/sane_archives.js'
import { writeZip, type ZipEntry, type ZipOptions } from '../../writing/write_zip.js'

/** An archive that is refused, with the reason for its uploader. */
export interface Variant {
  name: string
  bytes: () => Buffer
  reason: RegExp
}

export const MIB = 1024 * 1024

/** Writes an APK with changed entries. */
export function apkWith(
  change: (entry: ZipEntry, index: number) => ZipEntry,
  options?: ZipOptions
) {
  return writeZip(apkEntries().map(change), options)
}

export const manifestWith = (more: Partial<ZipEntry>, options?: ZipOptions) =>
  apkWith((entry, index) => (index === 0 ? { ...entry, ...more } : entry), options)

export function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

export const infoOf = (info: Buffer) => writeIpa({ info })

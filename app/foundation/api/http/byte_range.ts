import type { ByteRange } from '../../core/files/stored_files.js'

const RANGE = /^bytes=(?:(\d+)-(\d+)?|-(\d+))$/

/**
 * Parses a header `Range` (RFC 9110, 14.1.2). Several ranges, other units and invalid headers are
 * ignored: null means the whole file.
 * @param size of the file, in bytes
 * @returns `unsatisfiable` when the file has no such part
 */
export function byteRange(
  header: string | undefined,
  size: number
): ByteRange | 'unsatisfiable' | null {
  const match = RANGE.exec((header ?? '').replace(/\s/g, ''))
  if (!match) return null
  const [, from, to, suffix] = match
  if (suffix !== undefined) {
    if (Number(suffix) === 0 || size === 0) return 'unsatisfiable'
    return { first: Math.max(size - Number(suffix), 0), last: size - 1 }
  }
  const first = Number(from)
  const last = to === undefined ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== undefined && Number(to) < first) return null
  return first < size ? { first, last } : 'unsatisfiable'
}

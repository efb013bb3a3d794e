import { hash } from 'node:crypto'

/** The strong entity tag of some bytes. */
export function entityTag(bytes: string | Buffer): string {
  return `"${hash('sha1', bytes, 'base64url')}"`
}

/**
 * Returns whether an answer carries the entity tag of its bytes; answers that nobody may cache do
 * not.
 */
export function isTagged(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer
): boolean {
  return bytes.length > 0 && status < 300 && headers['cache-control'] !== 'no-store'
}

/** The end of the tag of a compressed representation: its bytes are others (RFC 9110, 8.8.3). */
const COMPRESSED = '-gzip"'

/** The tag of the compressed form of what a tag names. A weak tag names both. */
export function compressedTag(tag: string): string {
  return tag.startsWith('W/') ? tag : tag.replace(/"$/, COMPRESSED)
}

/**
 * Returns whether a header of entity tags (`If-Match`, `If-None-Match`) contains a tag, of the
 * representation as it is or compressed: both are of one state.
 */
export function matchesTag(header: string, tag: string, weakly: boolean): boolean {
  if (header.trim() === '*') return true
  const compressed = compressedTag(tag)
  return header.split(',').some((candidate) => {
    const given = candidate.trim()
    const strong = weakly && given.startsWith('W/') ? given.slice(2) : given
    return given === tag || strong === tag || strong === compressed
  })
}

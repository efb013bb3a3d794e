import { hash } from 'node:crypto'

/** Returns the strong entity tag of bytes. */
export function entityTag(bytes: string | Buffer): string {
  return `"${hash('sha1', bytes, 'base64url')}"`
}

/**
 * Returns whether a response carries the entity tag of its bytes. Errors and responses that must
 * not be cached do not.
 */
export function isTagged(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer
): boolean {
  return bytes.length > 0 && status < 300 && headers['cache-control'] !== 'no-store'
}

/** Returns whether a header of entity tags (`If-Match`, `If-None-Match`) contains a tag. */
export function matchesTag(header: string, tag: string, weakly: boolean): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => {
    const trimmed = candidate.trim()
    return trimmed === tag || (weakly && trimmed === `W/${tag}`)
  })
}

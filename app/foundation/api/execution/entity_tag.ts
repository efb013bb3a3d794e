import { hash } from 'node:crypto'

/** The strong entity tag of some bytes. */
export function entityTag(bytes: string | Buffer): string {
  return `"${hash('sha1', bytes, 'base64url')}"`
}

/** Whether an answer carries the tag of its bytes: not one that nobody is to keep. */
export function isTagged(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer
): boolean {
  return bytes.length > 0 && status < 300 && headers['cache-control'] !== 'no-store'
}

/** Whether a header of entity tags (`If-Match`, `If-None-Match`) names one. */
export function matchesTag(header: string, tag: string, weakly: boolean): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => {
    const given = candidate.trim()
    return given === tag || (weakly && given === `W/${tag}`)
  })
}

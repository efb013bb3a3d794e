import { createHash } from 'node:crypto'

/** Returns a digest of some texts, as part of an idempotency key. */
export const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url')

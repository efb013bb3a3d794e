import { createHash } from 'node:crypto'

/** Returns a short text that stands for some texts: part of the key of a call. */
export const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url')

import { randomInt } from 'node:crypto'

/** The digits of base 62. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random base62 text of a length; 20 characters hold 119 bits. */
export function randomText(length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) text += BASE62[randomInt(62)]
  return text
}

/** A new id `<prefix>_<random>`; the prefix tells people what it is an id of. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(20)}`
}

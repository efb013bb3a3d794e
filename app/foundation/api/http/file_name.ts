/** A media type without parameters, as the sender of a file may declare it. */
export const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

const MAX_BYTES = 255

/**
 * Control and invisible characters, marks that change the direction of text, and path separators.
 */
const UNWANTED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu

/**
 * Cleans a client's file name, to store and show; it is never used in a path.
 * @returns undefined if no usable character remains
 */
export function plainFileName(given: string | undefined): string | undefined {
  const name = (given ?? '').toWellFormed().normalize('NFC').replace(UNWANTED, '').trim()
  if (/^\.*$/.test(name)) return undefined
  let kept = ''
  let bytes = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > MAX_BYTES) break
    kept += character
  }
  return kept
}

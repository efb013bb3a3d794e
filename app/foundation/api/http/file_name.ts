/** The content types of files that are kept as their sender declares them. */
export const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

const MAX_BYTES = 255

/** Controls, marks that turn the direction of text or cannot be seen, and what parts paths. */
const UNWANTED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu

/**
 * A client's name of a file as data to keep and show: it is never part of a path of ours.
 * @returns undefined when nothing of it is left
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

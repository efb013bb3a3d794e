/**
 * Returns the length of a text in Unicode code points: the unit of all character limits, and of
 * `maxLength` in JSON Schema. Nothing is normalized: a letter with a combining mark counts as two.
 */
export function lengthOf(text: string): number {
  let length = text.length
  // Each pair of surrogates is one code point.
  for (let at = 0; at < text.length - 1; at++) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) {
      length -= 1
      at += 1
    }
  }
  return length
}

/** Shortens a text to a maximum of code points, the unit of PostgreSQL; a cut text ends in `…`. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** Control characters, and those that change the direction of text. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Makes a text safe for one line of a terminal. */
export const plain = (text: string): string => text.replace(HIDDEN, ' ')

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

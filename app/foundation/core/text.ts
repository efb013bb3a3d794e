/**
 * Returns the length of a text in Unicode code points, the unit of all character limits, as
 * `maxLength` of JSON Schema (RFC 8259 leaves it to the schema). Nothing is normalized: a letter
 * with a combining mark has its original length.
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

/** Returns a text of so many code points at most, as PostgreSQL counts; what is cut ends in `…`. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** Control characters, and those that turn the order in which others are shown. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Returns a text for one line of a terminal, without characters that steer it. */
export const plain = (text: string): string => text.replace(HIDDEN, ' ')

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

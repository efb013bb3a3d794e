/**
 * How long text is, in Unicode code points: what a limit of characters counts everywhere, as
 * `maxLength` of JSON Schema does (RFC 8259 leaves it to the schema). Nothing is normalised: a
 * letter with a combining mark is as long as it was sent.
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

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

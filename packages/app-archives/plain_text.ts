/** Control characters, direction marks and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFEFF]/gu

/**
 * Returns a text that is safe to show: in one line, and without direction marks.
 * @param max characters; a longer text gives null if `whole`, and is cut otherwise
 */
export function plainText(
  value: unknown,
  max: number,
  { whole = true }: { whole?: boolean } = {}
): string | null {
  if (typeof value !== 'string') return null
  const text = value
    .slice(0, 4 * max + 64)
    .replace(UNPRINTABLE, '')
    .normalize('NFC')
    .trim()
  if (text === '') return null
  const characters = [...text]
  if (characters.length <= max) return text
  return whole ? null : characters.slice(0, max).join('')
}

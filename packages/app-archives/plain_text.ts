/** Controls, marks of direction, and halves of characters that are not whole. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFEFF]/gu

/**
 * Text of a file as it can be shown: one line, nothing that changes its direction.
 * @param max characters; longer text is null if it is `whole`, else cut
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

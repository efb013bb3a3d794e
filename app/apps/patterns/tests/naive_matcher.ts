interface TokenForm {
  form: RegExp
  prefers: 'short' | 'long'
}

/** The texts a token may match, and whether it prefers short or long matches. */
const FORMS: Record<string, TokenForm> = {
  '{*}': { form: /^[^]*$/, prefers: 'short' },
  '{releaseName}': { form: /^[^]+$/, prefers: 'short' },
  '{appStoreBuildNumber}': { form: /^[\d.]+$/, prefers: 'long' },
  '{version}': { form: /^\d+\.\d+\.\d+$/, prefers: 'long' },
  '{version}[0,2,0]': { form: /^\d+\.\d\d+\.\d+$/, prefers: 'long' },
  '{versionMajorMinor}': { form: /^\d+\.\d+$/, prefers: 'long' },
  '{versionConcise}': { form: /^\d+(\.\d+){0,2}$/, prefers: 'long' },
  '{versionConcise}[2]': { form: /^\d+(\.\d+){1,2}$/, prefers: 'long' },
}

export const NAIVE_TOKENS = Object.keys(FORMS)

/**
 * Finds what each token of a pattern matches by trying everything, for patterns and texts of a few
 * characters. Returns null when the text does not match. A part is a token with its padding, or
 * plain text.
 */
export function naiveTexts(parts: readonly string[], text: string): Record<string, string> | null {
  if (parts.length === 0) return text === '' ? {} : null
  const [part, ...others] = parts
  const token = FORMS[part]
  if (!token) return text.startsWith(part) ? naiveTexts(others, text.slice(part.length)) : null
  const beginnings = Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length))
  if (token.prefers === 'long') beginnings.reverse()
  for (const beginning of beginnings.filter((each) => token.form.test(each))) {
    const rest = naiveTexts(others, text.slice(beginning.length))
    if (rest) return { [part.slice(1, part.indexOf('}'))]: beginning, ...rest }
  }
  return null
}

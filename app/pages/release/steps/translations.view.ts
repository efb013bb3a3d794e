import { percentText } from '../../words/numbers.js'
import type { Locale } from './read.js'

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** Returns the name of a language; null for an unknown tag, as services may use any. */
function nameOf(tag: string): string | null {
  try {
    return NAMES.of(tag.replaceAll('_', '-')) ?? null
  } catch {
    return null
  }
}

/** Returns the locales of a translations step, the least complete first. */
export function translationsOf(locales: readonly Locale[]) {
  const done = locales.filter(({ percentage }) => percentage === 100).length
  return {
    count: `${done} of ${locales.length}`,
    rows: locales
      .toSorted((one, other) => one.percentage - other.percentage)
      .map((each) => ({
        locale: each.locale,
        name: nameOf(each.locale),
        percentage: percentText(each.percentage),
        share: each.percentage,
        isDone: each.percentage === 100,
      })),
  }
}

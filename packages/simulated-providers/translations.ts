import { DAY } from './durations.js'
import { chance } from './chance.js'

/*
 * Translations: a version adds new texts, and each locale translates them at its own pace.
 * Instants are milliseconds since the epoch.
 */

export interface SimulatedTranslations {
  /** Texts that existed before any version. */
  locales: readonly { locale: string; total: number; translated: number; reviewed: number }[]
  /** Locales that nobody translates. */
  untranslated: readonly string[]
}

/** A version, which adds new texts. */
interface Version {
  version: string
  at: number
}

/** Number of texts that a version adds. */
const NEW_TEXTS = 12

const LOCALES = ['en-US', 'de-DE', 'fr-FR', 'ja']

export const USUAL_TRANSLATIONS: SimulatedTranslations = {
  locales: LOCALES.map((locale) => ({ locale, total: 120, translated: 120, reviewed: 120 })),
  untranslated: [],
}

/** Returns the progress of each locale; the first one is the source language. */
export function progressOf(
  { locales, untranslated }: SimulatedTranslations,
  versions: readonly Version[],
  { seed, now }: { seed: string; now: number }
): { locale: string; total: number; translated: number; reviewed: number }[] {
  return locales.map(({ locale, total, translated, reviewed }, index) => {
    const done = (what: string, days: number) =>
      versions.reduce((sum, { version, at }) => {
        const lasts = (0.2 + chance(seed, `translation ${what}`, locale, version)) * days * DAY
        return sum + Math.floor(NEW_TEXTS * Math.min(1, index === 0 ? 1 : (now - at) / lasts))
      }, 0)
    const more = untranslated.includes(locale) ? 0 : done('written', 1.5)
    return {
      locale,
      total: total + NEW_TEXTS * versions.length,
      translated: translated + more,
      reviewed: reviewed + Math.min(more, done('read', 3)),
    }
  })
}

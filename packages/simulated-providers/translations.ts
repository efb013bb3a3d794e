import { DAY } from './durations.js'
import { chance } from './chance.js'

/*
 * Translations: what is uploaded brings new texts, and each locale takes its time over them.
 * Instants are milliseconds since the epoch.
 */

interface TranslationFile {
  path: string
  locale: string
  /** Base64, since a file is bytes. */
  content: string
  tag: string
}

export interface SimulatedTranslations {
  /** Texts that existed before any upload. */
  locales: readonly { locale: string; total: number; translated: number; reviewed: number }[]
  files: readonly TranslationFile[]
  /** Locales that nobody brings forward. */
  untranslated: readonly string[]
  uploads: readonly { id: string; key: string | null; at: number }[]
  metadata: readonly { locale: string; title: string; whatsNew: string }[]
}

/** Texts that an upload brings. */
const NEW_TEXTS = 12

const LOCALES = ['en-US', 'de-DE', 'fr-FR', 'ja']

export const USUAL_TRANSLATIONS: SimulatedTranslations = {
  locales: LOCALES.map((locale) => ({ locale, total: 120, translated: 120, reviewed: 120 })),
  files: [],
  untranslated: [],
  uploads: [],
  metadata: [
    { locale: 'en-US', title: 'Example', whatsNew: 'Faster, and with fewer crashes.' },
    { locale: 'de-DE', title: 'Example', whatsNew: 'Schneller, und mit weniger Abstürzen.' },
  ],
}

/** Returns the progress of each locale; the first one is the source language. */
export function progressOf(
  { locales, uploads, untranslated }: SimulatedTranslations,
  seed: string,
  now: number
): { locale: string; total: number; translated: number; reviewed: number }[] {
  return locales.map(({ locale, total, translated, reviewed }, index) => {
    const done = (what: string, days: number) =>
      uploads.reduce((sum, { id, at }) => {
        const lasts = (0.2 + chance(seed, `translation ${what}`, locale, id)) * days * DAY
        return sum + Math.floor(NEW_TEXTS * Math.min(1, index === 0 ? 1 : (now - at) / lasts))
      }, 0)
    const more = untranslated.includes(locale) ? 0 : done('written', 1.5)
    return {
      locale,
      total: total + NEW_TEXTS * uploads.length,
      translated: translated + more,
      reviewed: reviewed + Math.min(more, done('read', 3)),
    }
  })
}

/** Takes files; a key is taken once. */
export function upload(
  translations: SimulatedTranslations,
  now: number,
  { files, key }: { files: readonly TranslationFile[]; key: string | null }
): { translations: SimulatedTranslations; id: string } | 'localeUnknown' {
  const known = translations.uploads.find((each) => key !== null && each.key === key)
  if (known) return { translations, id: known.id }
  const locales = new Set(translations.locales.map(({ locale }) => locale))
  if (files.some(({ locale }) => !locales.has(locale))) return 'localeUnknown'
  const isReplaced = (one: TranslationFile) =>
    files.some(
      (each) => each.path === one.path && each.locale === one.locale && each.tag === one.tag
    )
  const kept = translations.files.filter((each) => !isReplaced(each))
  const id = `U${translations.uploads.length + 1}`
  const uploads = [...translations.uploads, { id, key, at: now }]
  return { translations: { ...translations, uploads, files: [...kept, ...files] }, id }
}

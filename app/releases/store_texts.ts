import { createHash } from 'node:crypto'
import type { StoreKind } from '#apps/vocabulary'
import type { ProblemPlace } from '#foundation/core/problems/problem'

/** The texts of one locale as they are kept; `whatsNew` holds Play's release notes too. */
export interface Localization {
  locale: string
  whatsNew?: string
  description?: string
  keywords?: string
  promotionalText?: string
  supportUrl?: string
  marketingUrl?: string
  title?: string
  shortDescription?: string
  fullDescription?: string
}

/** Locales of one run; a store knows fewer. */
const MAX_LOCALES = 200

type TextField = Exclude<keyof Localization, 'locale'>

/** Most characters of each text that a store takes. */
const LIMITS: Record<StoreKind, Partial<Record<TextField, number>>> = {
  apple: {
    whatsNew: 4000,
    description: 4000,
    keywords: 100,
    promotionalText: 170,
    supportUrl: 255,
    marketingUrl: 255,
  },
  google: { whatsNew: 500, title: 30, shortDescription: 80, fullDescription: 4000 },
  ota: {},
}

/** A request's texts of one locale; `releaseNotes` is another name of `whatsNew`. */
export type LocalizationInput = Partial<Record<TextField | 'releaseNotes', string | null>> & {
  locale: string
}

/** The canonical spelling of a BCP-47 tag; null when it is none. */
function canonicalLocale(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/**
 * Lays given texts over those there are: a locale is added or changed, an absent text
 * left alone, null removes it. Lists everything that the store would not take.
 */
export function mergeTexts(
  store: StoreKind,
  present: readonly Localization[],
  given: readonly LocalizationInput[]
): { texts: Localization[]; problems: ProblemPlace[] } {
  const texts = new Map(present.map((each) => [each.locale, { ...each }]))
  const problems: ProblemPlace[] = []
  const seen = new Set<string>()
  for (const [index, { locale: tag, releaseNotes, ...fields }] of given.entries()) {
    const at = `/localizations/${index}`
    const locale = canonicalLocale(tag)
    if (!locale) {
      problems.push({ pointer: `${at}/locale`, code: 'locale', message: 'Not a BCP-47 tag.' })
      continue
    }
    if (seen.has(locale)) {
      const message = `The locale ${locale} is repeated.`
      problems.push({ pointer: `${at}/locale`, code: 'unique', message })
      continue
    }
    seen.add(locale)
    if (releaseNotes !== undefined && fields.whatsNew !== undefined) {
      const message = 'releaseNotes and whatsNew are the same text; give one of them.'
      problems.push({ pointer: `${at}/releaseNotes`, code: 'alias', message })
      continue
    }
    const target: Localization = texts.get(locale) ?? { locale }
    const wanted: Partial<Record<TextField, string | null>> = { ...fields }
    if (releaseNotes !== undefined) wanted.whatsNew = releaseNotes
    for (const [name, value] of Object.entries(wanted) as [TextField, string | null][]) {
      const limit = LIMITS[store][name]
      if (limit === undefined) {
        const message = `${name} is not a text of this app's store.`
        problems.push({ pointer: `${at}/${name}`, code: 'wrong_store', message })
      } else if (value === null) delete target[name]
      else if ([...value].length > limit) {
        const message = `${name} has at most ${limit} characters in this store.`
        problems.push({ pointer: `${at}/${name}`, code: 'max_length', message })
      } else target[name] = value
    }
    texts.set(locale, target)
  }
  if (texts.size > MAX_LOCALES) {
    const message = `A run holds the texts of at most ${MAX_LOCALES} locales; this makes ${texts.size}.`
    problems.push({ pointer: '/localizations', code: 'max_length', message })
  }
  const sorted = [...texts.values()].sort((a, b) => (a.locale < b.locale ? -1 : 1))
  return { texts: sorted, problems }
}

/** What an approval is bound to: the same texts have the same hash, in any order of members. */
export function contentHash(localizations: readonly Localization[]): string {
  const canonical = localizations.map((each) =>
    Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))
  )
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex')
}

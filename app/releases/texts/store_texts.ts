import { compareTexts } from '../../foundation/core/compare_texts.js'
import { createHash } from 'node:crypto'
import type { StoreKind } from '#apps/vocabulary'
import type { ProblemPlace } from '#foundation/core/problems/problem'
import { lengthOf } from '#foundation/core/text'
import { webUrlFault } from '#foundation/core/web_url'

/** The stored texts of one locale. `whatsNew` also holds the release notes of Google Play. */
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

/** Maximum number of locales of one run. Stores support fewer. */
const MAX_LOCALES = 200

type TextField = Exclude<keyof Localization, 'locale'>

/** Maximum length of each text in a store, in characters. */
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

/** The texts of one locale in a request. `releaseNotes` is an alias of `whatsNew`. */
type LocalizationInput = Partial<Record<TextField | 'releaseNotes', string | null>> & {
  locale: string
}

/** Returns the canonical spelling of a BCP-47 tag; null for an invalid one. */
function canonicalLocale(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/**
 * Merges given texts into the present ones. An absent text stays, and null removes a text. Returns
 * a problem for everything that the store would refuse.
 */
export function mergeTexts(
  store: StoreKind,
  present: readonly Localization[],
  given: readonly (Partial<LocalizationInput> | undefined)[]
): { texts: Localization[]; problems: ProblemPlace[] } {
  const texts = new Map(present.map((each) => [each.locale, { ...each }]))
  const problems: ProblemPlace[] = []
  const seen = new Set<string>()
  for (const [index, input] of given.entries()) {
    if (!input) continue
    const { locale: tag, releaseNotes, ...fields } = input
    const at = `/localizations/${index}`
    const report = (name: string, code: string, message: string) =>
      problems.push({ pointer: `${at}/${name}`, code, message })
    const locale = tag === undefined ? null : canonicalLocale(tag)
    if (tag !== undefined && !locale) report('locale', 'locale', 'Not a BCP-47 tag.')
    if (locale && seen.has(locale)) {
      report('locale', 'unique', `The locale ${locale} is repeated.`)
    }
    const wanted: Partial<Record<TextField, string | null>> = { ...fields }
    if (releaseNotes !== undefined) {
      if (fields.whatsNew === undefined) wanted.whatsNew = releaseNotes
      else {
        const message = 'releaseNotes and whatsNew are the same text; give one of them.'
        report('releaseNotes', 'alias', message)
      }
    }
    // The texts of an invalid or repeated locale are still checked, but not stored.
    const isUsable = locale !== null && !seen.has(locale)
    const target: Localization = (isUsable && texts.get(locale)) || { locale: locale ?? '' }
    for (const [name, value] of Object.entries(wanted) as [TextField, string | null][]) {
      const shown = name === 'whatsNew' && fields.whatsNew === undefined ? 'releaseNotes' : name
      const fault = textFault(store, name, value)
      if (fault) report(shown, ...fault)
      else if (value === null) delete target[name]
      else target[name] = value
    }
    if (!isUsable) continue
    seen.add(locale)
    texts.set(locale, target)
  }
  if (texts.size > MAX_LOCALES) {
    const message = `A run has texts in at most ${MAX_LOCALES} locales; this would make ${texts.size}.`
    problems.push({ pointer: '/localizations', code: 'max_length', message })
  }
  const sorted = [...texts.values()].sort((a, b) => compareTexts(a.locale, b.locale))
  return { texts: sorted, problems }
}

/** Returns why a store would refuse a text; null if it would not. */
function textFault(
  store: StoreKind,
  name: TextField,
  value: string | null
): [code: string, message: string] | null {
  const limit = LIMITS[store][name]
  if (limit === undefined) return ['wrong_store', `${name} is not a text of this app's store.`]
  if (value === null) return null
  if (lengthOf(value) > limit) {
    return ['max_length', `${name} has at most ${limit} characters in this store.`]
  }
  const isAddress = name === 'supportUrl' || name === 'marketingUrl'
  const wrong = isAddress ? webUrlFault(value) : null
  return wrong ? ['url', `${name} ${wrong}.`] : null
}

/** Returns the hash that an approval is bound to. The order of members does not matter. */
export function contentHash(localizations: readonly Localization[]): string {
  return createHash('sha256')
    .update(JSON.stringify(hashedTexts(localizations)))
    .digest('hex')
}

/** Returns texts in the form that is hashed: the members of each locale, sorted by name. */
export const hashedTexts = (localizations: readonly Localization[]): [string, string][][] =>
  localizations.map((each) => Object.entries(each).sort(([a], [b]) => compareTexts(a, b)))

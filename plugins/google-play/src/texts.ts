import type { LocalizedMetadata } from '@tarmac/plugin-kit'
import type { Listing } from './edits.js'
import { refused } from './errors.js'
import type { TrackRelease } from './releases.js'

/*
 * The texts of the store page belong to the app, the notes to a release. Unlike the App Store,
 * Google Play has no keywords, promotional text or URLs.
 */

/** Maximum lengths, in characters. */
const LIMITS = { title: 30, shortDescription: 80, description: 4000, whatsNew: 500 } as const
const NAMES = {
  title: 'title',
  shortDescription: 'short description',
  description: 'full description',
  whatsNew: 'release notes',
} as const

/**
 * Refuses texts that Google would refuse, before any call.
 * @throws ProviderError `invalid`
 */
export function requireShort(entries: readonly LocalizedMetadata[]): void {
  for (const entry of entries) {
    for (const [name, most] of Object.entries(LIMITS)) {
      const length = [...(entry[name as keyof typeof LIMITS] ?? '')].length
      if (length <= most) continue
      const what = NAMES[name as keyof typeof NAMES]
      throw refused(
        'invalid',
        `The ${what} of ${entry.locale} have ${length} characters, and Google Play takes ${most}.`,
        'textTooLong'
      )
    }
  }
}

export interface Note {
  language?: string | null
  text?: string | null
}

export const notesIn = (entries: readonly LocalizedMetadata[]): Note[] =>
  entries.flatMap(({ locale, whatsNew }) =>
    whatsNew === undefined ? [] : [{ language: locale, text: whatsNew }]
  )

/** Replaces the notes of the given languages, and keeps the others. */
export function noted(release: TrackRelease, given: readonly Note[]): TrackRelease {
  const isGiven = (language: string) => given.some((each) => each.language === language)
  const kept = (release.releaseNotes ?? []).filter(({ language }) => !isGiven(language ?? ''))
  return { ...release, releaseNotes: [...kept, ...given] }
}

/** Returns the texts that belong on the store page, by language. */
export function listingsIn(entries: readonly LocalizedMetadata[]): Listing[] {
  const listings = entries.map(({ locale, title, shortDescription, description }) => ({
    language: locale,
    ...(title === undefined ? {} : { title }),
    ...(shortDescription === undefined ? {} : { shortDescription }),
    ...(description === undefined ? {} : { fullDescription: description }),
  }))
  return listings.filter((each) => Object.keys(each).length > 1)
}

/** Returns the texts of the page and the notes of a release, by language. */
export function textsOf(
  listings: readonly Listing[],
  { releaseNotes }: TrackRelease
): LocalizedMetadata[] {
  const texts = new Map<string, LocalizedMetadata>()
  const add = (locale: string, more: Partial<LocalizedMetadata>) =>
    texts.set(locale, { ...texts.get(locale), ...more, locale })
  for (const { language, title, shortDescription, fullDescription } of listings) {
    add(language ?? '', {
      ...(title ? { title } : {}),
      ...(shortDescription ? { shortDescription } : {}),
      ...(fullDescription ? { description: fullDescription } : {}),
    })
  }
  for (const { language, text } of releaseNotes ?? []) {
    add(language ?? '', text ? { whatsNew: text } : {})
  }
  return [...texts.values()]
}

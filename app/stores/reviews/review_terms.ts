import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stopwords as dutchWords } from '@orama/stopwords/dutch'
import { stopwords as englishWords } from '@orama/stopwords/english'
import { stopwords as frenchWords } from '@orama/stopwords/french'
import { stopwords as germanWords } from '@orama/stopwords/german'
import { stopwords as italianWords } from '@orama/stopwords/italian'
import { stopwords as portugueseWords } from '@orama/stopwords/portuguese'
import { stopwords as spanishWords } from '@orama/stopwords/spanish'

/** A word of a review, as its stem and as it was written. */
export interface Term {
  stem: string
  word: string
}

/** The most words kept of one review. */
const MAX_TERMS = 60
/** The fewest letters of a meaningful word. */
const MIN_LETTERS = 3

interface Language {
  stem: (word: string) => string
  common: ReadonlySet<string>
}

const language = (stem: Language['stem'], words: readonly string[]): Language => ({
  stem,
  common: new Set(words),
})

const LANGUAGES: Readonly<Record<string, Language>> = {
  de: language(german, germanWords),
  en: language(english, englishWords),
  es: language(spanish, spanishWords),
  fr: language(french, frenchWords),
  it: language(italian, italianWords),
  nl: language(dutch, dutchWords),
  pt: language(portuguese, portugueseWords),
}

/** Words that occur in the reviews of every app. */
const COMMON_TERMS = new Set(['app', 'apps', 'application'])

/**
 * Returns the words that a review can be grouped by, each once: without stop words, and reduced to
 * their stems. In other languages, words stay as they are.
 */
export function termsOf(text: string, locale: string): Term[] {
  const found = new Map<string, Term>()
  const { stem, common } = LANGUAGES[locale.slice(0, 2).toLowerCase()] ?? {
    stem: (word: string) => word,
    common: englishWordSet,
  }
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu)) {
    if (word.length < MIN_LETTERS || common.has(word) || COMMON_TERMS.has(word)) continue
    const shared = stem(word)
    if (!found.has(shared))
      found.set(shared, { stem: shared.slice(0, 64), word: word.slice(0, 64) })
    if (found.size === MAX_TERMS) break
  }
  return [...found.values()]
}

const englishWordSet: ReadonlySet<string> = new Set(englishWords)

/** Headings and fixed sentences of a language. */
export interface NoteWords {
  added: string
  improved: string
  fixed: string
  other: string
  /** The sentence for a release without entries. */
  nothing: string
  /** The line about entries that were left out. */
  more: (count: number) => string
}

const ENGLISH: NoteWords = {
  added: 'New',
  improved: 'Improved',
  fixed: 'Fixed',
  other: 'Also',
  nothing: 'Fixes and improvements.',
  more: (count) => `… and ${count} more`,
}

const WORDS: Record<string, NoteWords> = {
  en: ENGLISH,
  de: {
    added: 'Neu',
    improved: 'Verbessert',
    fixed: 'Behoben',
    other: 'Außerdem',
    nothing: 'Fehlerbehebungen und Verbesserungen.',
    more: (count) => `… und ${count} mehr`,
  },
  fr: {
    added: 'Nouveautés',
    improved: 'Améliorations',
    fixed: 'Corrections',
    other: 'Et aussi',
    nothing: 'Corrections et améliorations.',
    more: (count) => `… et ${count} de plus`,
  },
  es: {
    added: 'Novedades',
    improved: 'Mejoras',
    fixed: 'Correcciones',
    other: 'Además',
    nothing: 'Correcciones y mejoras.',
    more: (count) => `… y ${count} más`,
  },
  it: {
    added: 'Novità',
    improved: 'Miglioramenti',
    fixed: 'Correzioni',
    other: 'Inoltre',
    nothing: 'Correzioni e miglioramenti.',
    more: (count) => `… e altre ${count}`,
  },
  pt: {
    added: 'Novidades',
    improved: 'Melhorias',
    fixed: 'Correções',
    other: 'Além disso',
    nothing: 'Correções e melhorias.',
    more: (count) => `… e mais ${count}`,
  },
  nl: {
    added: 'Nieuw',
    improved: 'Verbeterd',
    fixed: 'Opgelost',
    other: 'Verder',
    nothing: 'Oplossingen en verbeteringen.',
    more: (count) => `… en nog ${count}`,
  },
  ja: {
    added: '新機能',
    improved: '改善',
    fixed: '修正',
    other: 'その他',
    nothing: '不具合の修正と改善を行いました。',
    more: (count) => `… ほか${count}件`,
  },
}

/** Returns the words for the language of a locale; English if the language is not supported. */
export function noteWords(locale: string): NoteWords {
  const [language] = locale.toLowerCase().split('-')
  return WORDS[language] ?? ENGLISH
}

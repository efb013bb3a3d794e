import { distance } from 'fastest-levenshtein'

/** The share of the letters that may differ between a word and the one that is meant. */
const DIFFERENT = 0.35

/** Returns the known word that is nearest to a given one; null if none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const ranked = known
    .map((each) => ({ each, edits: distance(word, each) }))
    .toSorted((one, other) => one.edits - other.edits)
  const [best] = ranked
  return best && best.edits <= word.length * DIFFERENT ? best.each : null
}

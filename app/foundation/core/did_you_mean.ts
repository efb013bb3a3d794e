import { distance } from 'fastest-levenshtein'

const MAX_COMPARED_LENGTH = 64
/** Maximum number of comparisons for one word. */
const MAX_COMPARED = 500
/** Maximum number of comparisons for all words of one answer: about 10 ms. */
const MAX_COMPARED_IN_ALL = 20_000

/** Suggests corrections for misspelled words of one input, up to a limit of comparisons. */
export class Guesses {
  #left = MAX_COMPARED_IN_ALL

  /**
   * Returns the candidate closest to a word, regardless of case; undefined if none is close. Short
   * words may differ in fewer letters, because a wrong guess is worse than none.
   * @param candidates the valid words
   */
  didYouMean(word: string, candidates: Iterable<string>): string | undefined {
    if (word.length > MAX_COMPARED_LENGTH || this.#left === 0) return undefined
    const folded = word.toLowerCase()
    let best: { candidate: string; edits: number } | undefined
    let compared = 0
    for (const candidate of candidates) {
      if (compared === MAX_COMPARED || this.#left === 0) break
      compared += 1
      this.#left -= 1
      const furthest = furthestOf(Math.min(word.length, candidate.length))
      if (candidate === word || Math.abs(candidate.length - word.length) > furthest) continue
      const edits = editsBetween(folded, candidate.toLowerCase())
      if (edits <= furthest && edits < (best?.edits ?? Infinity)) best = { candidate, edits }
    }
    return best?.candidate
  }
}

/** Suggests a correction for one word. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  return new Guesses().didYouMean(word, candidates)
}

/** Returns the maximum edit distance, by the number of letters of the shorter word. */
function furthestOf(letters: number): number {
  if (letters < 5) return 1
  return letters < 9 ? 2 : 3
}

/** Letters added, left out or replaced; a swap of two neighbours counts once. */
function editsBetween(one: string, other: string): number {
  return isSwapped(one, other) ? 1 : distance(one, other)
}

function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return (
    at < one.length &&
    one[at] === other[at + 1] &&
    one[at + 1] === other[at] &&
    one.slice(at + 2) === other.slice(at + 2)
  )
}

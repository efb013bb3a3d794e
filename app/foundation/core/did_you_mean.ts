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
   * The candidate that is nearly the word given, if one is; without regard to case. The fewer
   * letters a word has, the fewer may differ: a guess that is no help is worse than none.
   * @param candidates what would be right in the place of the word
   */
  didYouMean(word: string, candidates: Iterable<string>): string | undefined {
    if (word.length > MAX_COMPARED_LENGTH || this.#left === 0) return undefined
    const folded = word.toLowerCase()
    let best: { candidate: string; far: number } | undefined
    let compared = 0
    for (const candidate of candidates) {
      if (compared === MAX_COMPARED || this.#left === 0) break
      compared += 1
      this.#left -= 1
      const furthest = furthestOf(Math.min(word.length, candidate.length))
      if (candidate === word || Math.abs(candidate.length - word.length) > furthest) continue
      const far = editsBetween(folded, candidate.toLowerCase())
      if (far <= furthest && far < (best?.far ?? Infinity)) best = { candidate, far }
    }
    return best?.candidate
  }
}

/** A guess at one word alone. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  return new Guesses().didYouMean(word, candidates)
}

/** Returns the maximum edit distance for words of which the shorter has this many letters. */
function furthestOf(letters: number): number {
  if (letters < 5) return 1
  return letters < 9 ? 2 : 3
}

/** Letters added, left out or replaced; two neighbours that changed places count once. */
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

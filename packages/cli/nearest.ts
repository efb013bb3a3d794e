/** Returns the number of letters that are added, left out or replaced between two words. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let index = 1; index <= other.length; index++) {
      const replaced = row[index - 1] + (one[at - 1] === other[index - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[index] + 1, next[index - 1] + 1))
    }
    row = next
  }
  return row[other.length]
}

/** The share of the letters that may differ between a word and the one that is meant. */
const DIFFERENT = 0.35

/** Returns the known word that is nearest to a given one; null if none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const ranked = known
    .map((each) => ({ each, edits: editsBetween(word, each) }))
    .toSorted((one, other) => one.edits - other.edits)
  const [best] = ranked
  return best && best.edits <= word.length * DIFFERENT ? best.each : null
}

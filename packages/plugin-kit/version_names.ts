/*
 * Names of versions. A team may write `4.2` where a release is `4.2.0`, and so may its store.
 */

const NUMBERS = /^\d+(\.\d+){0,2}$/

/**
 * Returns all names of a version of one to three numbers, the longest first: `4.2.0` and `4.2`. Any
 * other text has no other name. For filters of providers that compare names as texts.
 */
export function spellingsOf(version: string): [string, ...string[]] {
  if (!NUMBERS.test(version)) return [version]
  const numbers = version.split('.').map((each) => each.replace(/^0+(?=\d)/, ''))
  while (numbers.length < 3) numbers.push('0')
  const spellings: [string, ...string[]] = [numbers.join('.')]
  while (numbers.length > 1 && numbers.at(-1) === '0') {
    numbers.pop()
    spellings.push(numbers.join('.'))
  }
  return spellings
}

/** Returns whether two names denote the same version: `4.2` is `4.2.0`. */
export const isSameVersion = (one: string, other: string): boolean =>
  spellingsOf(one)[0] === spellingsOf(other)[0]

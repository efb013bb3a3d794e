import { hash } from 'node:crypto'

/**
 * A number from 0 (included) to 1 (excluded) that follows from a seed and what it is for: asked
 * again it is the same, in whatever order chance is asked.
 */
export function chance(seed: string, ...about: readonly (string | number)[]): number {
  const asked = JSON.stringify([seed, ...about])
  const known = rolled.get(asked) ?? rolledBefore.get(asked)
  if (known !== undefined) return known
  if (rolled.size >= MOST_KEPT) {
    rolledBefore = rolled
    rolled = new Map()
  }
  const number = digestOf(asked).readUIntBE(0, 6) / 2 ** 48
  rolled.set(asked, number)
  return number
}

/** Cached values: every poll asks for the same hours and reviews. */
let rolled = new Map<string, number>()
let rolledBefore: ReadonlyMap<string, number> = new Map()
const MOST_KEPT = 25_000

/** Hexadecimal digits that follow from a seed and what they are for, at most 64. */
export function digits(seed: string, count: number, ...about: readonly (string | number)[]) {
  return digestOf(JSON.stringify([seed, ...about]))
    .toString('hex')
    .slice(0, count)
}

const digestOf = (asked: string): Buffer => hash('sha256', asked, 'buffer')

/** Numbers from 0 (included) to 1 (excluded) that follow from a seed, one after the other. */
export function dice(seed: string): () => number {
  let drawn = 0
  return () => chance(seed, 'dice', drawn++)
}

import { hash } from 'node:crypto'

/**
 * Returns a pseudorandom number from 0 (included) to 1 (excluded), determined by a seed and a
 * subject alone: the order of calls has no influence.
 */
export function chance(seed: string, ...about: readonly (string | number)[]): number {
  const key = JSON.stringify([seed, ...about])
  const known = rolled.get(key) ?? rolledBefore.get(key)
  if (known !== undefined) return known
  if (rolled.size >= MAX_KEPT) {
    rolledBefore = rolled
    rolled = new Map()
  }
  const number = digestOf(key).readUIntBE(0, 6) / 2 ** 48
  rolled.set(key, number)
  return number
}

/** Cached values: every poll asks for the same hours and reviews. */
let rolled = new Map<string, number>()
let rolledBefore: ReadonlyMap<string, number> = new Map()
const MAX_KEPT = 25_000

/** Returns at most 64 pseudorandom hexadecimal digits, determined by a seed and a subject. */
export function digits(seed: string, count: number, ...about: readonly (string | number)[]) {
  return digestOf(JSON.stringify([seed, ...about]))
    .toString('hex')
    .slice(0, count)
}

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer')

/** Returns a generator of pseudorandom numbers from 0 (included) to 1 (excluded). */
export function dice(seed: string): () => number {
  let drawn = 0
  return () => chance(seed, 'dice', drawn++)
}

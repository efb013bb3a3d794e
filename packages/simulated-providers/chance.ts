import { hash } from 'node:crypto'

/**
 * Returns a pseudorandom number from 0 (inclusive) to 1 (exclusive). It depends only on the seed
 * and the subject, not on the order of calls.
 */
export function chance(seed: string, ...subject: readonly (string | number)[]): number {
  const key = JSON.stringify([seed, ...subject])
  const cached = numbers.get(key) ?? previousNumbers.get(key)
  if (cached !== undefined) return cached
  if (numbers.size >= MAX_CACHED) {
    previousNumbers = numbers
    numbers = new Map()
  }
  const number = digestOf(key).readUIntBE(0, 6) / 2 ** 48
  numbers.set(key, number)
  return number
}

/** A cache in two generations: each poll needs the numbers of the same hours and reviews. */
let numbers = new Map<string, number>()
let previousNumbers: ReadonlyMap<string, number> = new Map()
const MAX_CACHED = 25_000

/** Returns up to 64 pseudorandom hexadecimal digits, which depend on a seed and a subject. */
export function digits(seed: string, count: number, ...subject: readonly (string | number)[]) {
  return digestOf(JSON.stringify([seed, ...subject]))
    .toString('hex')
    .slice(0, count)
}

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer')

/** Returns a generator of pseudorandom numbers from 0 (inclusive) to 1 (exclusive). */
export function dice(seed: string): () => number {
  let drawn = 0
  return () => chance(seed, 'dice', drawn++)
}

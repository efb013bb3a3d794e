import { hash } from 'node:crypto'

/**
 * A number from 0 (included) to 1 (excluded) that follows from a seed and what it is for: asked
 * again it is the same, in whatever order chance is asked.
 */
export function chance(seed: string, ...about: readonly (string | number)[]): number {
  return digestOf(seed, about).readUIntBE(0, 6) / 2 ** 48
}

/** Hexadecimal digits that follow from a seed and what they are for, at most 64. */
export function digits(seed: string, count: number, ...about: readonly (string | number)[]) {
  return digestOf(seed, about).toString('hex').slice(0, count)
}

function digestOf(seed: string, about: readonly (string | number)[]): Buffer {
  return hash('sha256', JSON.stringify([seed, ...about]), 'buffer')
}

/** Numbers from 0 (included) to 1 (excluded) that follow from a seed, one after the other. */
export function dice(seed: string): () => number {
  let drawn = 0
  return () => chance(seed, 'dice', drawn++)
}

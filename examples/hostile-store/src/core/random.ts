const PRIME = 0x01000193

/**
 * Draws a number from 0 up to 1 that depends on the seed and the labels alone. A draw does not
 * move when another is left out, so a shorter history keeps what it has in common with a longer.
 */
export function draw(seed: number, ...labels: readonly (string | number)[]): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (const label of labels) {
    const text = String(label)
    for (let index = 0; index < text.length; index += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
    }
    hash = Math.imul(hash ^ 0x2f, PRIME)
  }
  return mixed(hash) / 0x1_0000_0000
}

/** A stream of numbers from 0 up to 1. */
export type Random = () => number

/** Begins a stream of draws. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    return mixed(state) / 0x1_0000_0000
  }
}

function mixed(hash: number): number {
  let value = hash ^ (hash >>> 16)
  value = Math.imul(value, 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

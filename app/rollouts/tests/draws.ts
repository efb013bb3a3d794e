/** Returns a generator of numbers from 0 to 1 by a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
export type Random = () => number

/** The expected failures from which a normal distribution is close enough. */
const MANY = 200

export function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/**
 * Draws the number of failures. It skips from one failure to the next, so rare ones cost little.
 */
export function drawBad(of: number, share: number, random: Random): number {
  const mean = of * share
  if (mean > MANY) {
    return Math.max(0, Math.round(mean + Math.sqrt(mean * (1 - share)) * drawNormal(random)))
  }
  const skip = () => Math.floor(Math.log(1 - random()) / Math.log(1 - share))
  let bad = 0
  for (let at = skip(); at < of; at += 1 + skip()) bad++
  return bad
}

/**
 * Draws the number of failures if one user's crashes come in bursts of geometric length: a crash is
 * followed by another one with a probability of 1 - 1/length. The counts vary 2 · length - 1 times
 * as much.
 */
export function drawBursts(of: number, share: number, length: number, random: Random): number {
  if (length === 1) return drawBad(of, share, random)
  const bursts = drawBad(of, share / length, random)
  if (bursts > MANY) {
    const spread = Math.sqrt(bursts * length * (length - 1))
    return Math.min(of, Math.max(0, Math.round(bursts * length + spread * drawNormal(random))))
  }
  let bad = 0
  for (let burst = 0; burst < bursts; burst++) {
    bad += 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - 1 / length))
  }
  return Math.min(of, bad)
}

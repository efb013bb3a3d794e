import { DAY, HOUR, MINUTE } from '#foundation/core/durations'

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: MINUTE,
  h: HOUR,
  d: DAY,
}

/** Largest step by which a world can be advanced: a year. */
const MAX_MS = 366 * UNITS.d

/** Form of a duration, or of an instant in UTC. */
export const SPAN = /^((\d{1,9}[smhd])+|\d{4}-\d\d-\d\dT[\d:.]+Z)$/

/**
 * Returns the milliseconds of a duration such as `90m`, `2h30m` or `3d`; null for a malformed one,
 * or one of more than a year.
 */
export function durationOf(text: string): number | null {
  if (!/^(\d{1,9}[smhd])+$/.test(text)) return null
  let sum = 0
  for (const [, count, unit] of text.matchAll(/(\d+)([smhd])/g)) sum += Number(count) * UNITS[unit]
  return sum <= MAX_MS ? sum : null
}

/**
 * Returns the time until a given duration has passed or an instant is reached.
 * @param now milliseconds since the epoch
 * @returns milliseconds; null for invalid or past values, or more than a year
 */
export function spanOf(text: string, now: number): number | null {
  const duration = durationOf(text)
  if (duration !== null) return duration
  if (!SPAN.test(text)) return null
  const span = Date.parse(text) - now
  return span >= 0 && span <= MAX_MS ? span : null
}

import { judge, type Sample } from '../guard/judge.js'

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** How many of some went wrong: skips from one to the next, so rare ones cost little. */
export function drawBad(of: number, share: number, random: () => number): number {
  let bad = 0
  for (let at = skip(share, random); at < of; at += 1 + skip(share, random)) bad++
  return bad
}

const skip = (share: number, random: () => number) =>
  Math.floor(Math.log(1 - random()) / Math.log(1 - share))

export interface Planted {
  /** Sessions an hour, of this version and of the one before. */
  perHour: number
  /** Crash-free, before and now, 0 to 1. */
  before: number
  now: number
  /** Stages of a day each, and hours between two looks. */
  stages: number
  hoursPerLook: number
  errorBound: number
}

/** When a simulated release was found unhealthy, counted in looks from its start; null for never. */
export interface Found {
  unhealthyAt: number | null
  healthyAt: number | null
}

/**
 * One release that goes through stages of a day, each judged against the same stage of a version
 * before. It ends where it is found unhealthy.
 */
export function simulateRelease(planted: Planted, random: () => number): Found {
  const { perHour, before, now, stages, hoursPerLook, errorBound } = planted
  const bounds = { errorBound: errorBound / stages, minimumSample: 1000, tolerance: 0.0025 }
  const looksPerStage = 24 / hoursPerLook
  let healthyAt: number | null = null
  for (let stage = 0; stage < stages; stage++) {
    const of = perHour * 24
    const baseline: Sample = { of, bad: drawBad(of, 1 - before, random) }
    const current: Sample = { of: 0, bad: 0 }
    for (let look = 1; look <= looksPerStage; look++) {
      current.of += perHour * hoursPerLook
      current.bad += drawBad(perHour * hoursPerLook, 1 - now, random)
      const { verdict } = judge({ ...current }, baseline, bounds)
      const count = stage * looksPerStage + look
      if (verdict === 'unhealthy') return { unhealthyAt: count, healthyAt }
      if (verdict === 'healthy') healthyAt ??= count
    }
  }
  return { unhealthyAt: null, healthyAt }
}

export const SEED = 20_261_122
const RELEASES = 1000
const BEFORE = 0.998

/** Drops in percentage points, and sessions an hour, that the table tells of. */
const DROPS = [0, 0.1, 0.2, 0.3, 0.5, 1]
const VOLUMES = [200, 500, 2000, 10_000]

/** The table of docs/rollouts.md; the same for the same seed. */
export function guardTable(): string {
  const lines = [
    '| Drop | Sessions an hour | Halted | by look 1 | by look 2 | by look 6 | by look 12 | Looks, median | Called healthy first |',
    '|---|---|---|---|---|---|---|---|---|',
  ]
  for (const drop of DROPS) {
    for (const perHour of VOLUMES) lines.push(rowOf(drop, perHour))
  }
  return lines.join('\n')
}

function rowOf(drop: number, perHour: number): string {
  const planted = { perHour, before: BEFORE, now: BEFORE - drop / 100, ...SETTING }
  const random = randomOf(SEED + drop * 1000 + perHour)
  const all = Array.from({ length: RELEASES }, () => simulateRelease(planted, random))
  const found = all.flatMap(({ unhealthyAt }) => unhealthyAt ?? []).sort((a, b) => a - b)
  const share = (count: number) => `${((100 * count) / RELEASES).toFixed(1)} %`
  const by = (look: number) => share(found.filter((each) => each <= look).length)
  const median = found.length === 0 ? '' : String(found[Math.floor(found.length / 2)])
  const healthy = all.filter(({ healthyAt }) => healthyAt !== null).length
  const cells = [
    `${drop} points`,
    perHour.toLocaleString('en'),
    share(found.length),
    ...[1, 2, 6, 12].map(by),
    median,
    share(healthy),
  ]
  return `| ${cells.join(' | ')} |`
}

export const SETTING = { stages: 6, hoursPerLook: 2, errorBound: 0.01 }

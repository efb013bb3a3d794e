import { randomOf } from './draws.js'
import { simulate, type Climbed, type Planted } from './simulated_guard.js'

const SEED = 20_261_122
const BEFORE = 0.005
const RELEASES = 400
/** Enough releases to show the one percent of healthy versions that may be stopped. */
const HEALTHY = 2000

/** A table of docs/explanation/health-guard.md. Each line follows from its own seed. */
export interface Table {
  head: readonly string[]
  /** The usual tests check only the lines that are drawn quickly. */
  lines: readonly { isQuick: boolean; draw: () => Promise<string> }[]
}

type Given = Omit<Planted, 'before' | 'now' | 'unit'> & { unit?: Planted['unit']; drop?: number }

/** Simulates releases of an app with 99.5 % crash-free users; equal numbers give equal releases. */
function releasesOf({ unit = 'users', drop = 0, ...given }: Given, count = RELEASES) {
  const planted = { unit, before: BEFORE, now: BEFORE + drop / 100, ...given }
  return simulate(planted, count, randomOf(SEED + given.daily + drop * 10 + (given.burst ?? 0)))
}

const percent = (part: number) => `${(100 * part).toFixed(1)} %`
const partOf = (all: readonly Climbed[], matches: (each: Climbed) => boolean) =>
  percent(all.filter(matches).length / all.length)
const reach = (all: readonly Climbed[]) => partOf(all, ({ days }) => days !== null)
const stopped = (all: readonly Climbed[]) => partOf(all, ({ isStopped }) => isStopped)
const beyond = (all: readonly Climbed[]) => partOf(all, ({ isBeyond }) => isBeyond)
const harmed = (all: readonly Climbed[]) =>
  Math.round(all.reduce((sum, each) => sum + each.harmed, 0) / all.length).toLocaleString('en')

function daysOf(all: readonly Climbed[]): string {
  const days = all.flatMap((each) => each.days ?? []).sort((one, other) => one - other)
  const at = (part: number) => days[Math.floor(part * (days.length - 1))].toFixed(1)
  return days.length === 0 ? '' : `${at(0.5)} (${at(0.9)})`
}

const lineOf = (cells: readonly (string | number)[]) =>
  `| ${cells.map((each) => (typeof each === 'number' ? each.toLocaleString('en') : each)).join(' | ')} |`
const headOf = (...cells: readonly string[]) => [
  lineOf(cells),
  `|${cells.map(() => '---').join('|')}|`,
]

/**
 * The cost of the guard for a healthy version, and the harm that it prevents otherwise, compared
 * with *stays alone*.
 */
const CLIMBS: Table = {
  head: headOf(
    ...['Daily users', 'Drop', 'Days to all, median (90 %)', 'Reach all', 'Stopped'],
    ...['Beyond the budget', 'Harmed, mean', 'With stays alone: reach all', 'Stopped'],
    'Harmed, mean'
  ),
  lines: [2000, 5000, 50_000, 5_000_000].flatMap((daily) =>
    [0, 0.1, 0.5, 2].map((drop) => ({
      isQuick: daily === 5000 && drop === 2,
      draw: async () => {
        const guarded = await releasesOf({ daily, drop })
        const alone = await releasesOf({ daily, drop, waits: false })
        return lineOf([
          ...[daily, drop === 0 ? 'none' : `${drop} points`, daysOf(guarded), reach(guarded)],
          ...[stopped(guarded), beyond(guarded), harmed(guarded)],
          ...[reach(alone), stopped(alone), harmed(alone)],
        ])
      },
    }))
  ),
}

/** The cost of returning users, and of faults that hit the same users again. */
const VISITS: Table = {
  head: headOf(
    ...['Daily users', 'A user comes every', 'Days to all, median (90 %)', 'Reach all'],
    ...['With faults that recur: reach all', 'Stopped', 'A drop of 1 point: beyond the budget']
  ),
  lines: [2000, 5000].flatMap((daily) =>
    [30, 10, 5, 2].map((every) => ({
      isQuick: false,
      draw: async () => {
        const comes = 1 / every
        const anew = await releasesOf({ daily, comes })
        const recurring = { daily, comes, recurrence: Math.min(comes, 1 / 6) }
        const healthy = await releasesOf(recurring)
        const bad = await releasesOf({ ...recurring, drop: 1 })
        return lineOf([
          ...[daily, `${every} days`, daysOf(anew), reach(anew)],
          ...[reach(healthy), stopped(healthy), beyond(bad)],
        ])
      },
    }))
  ),
}

/**
 * Returns the part of simulated releases that reach a share of users at which they harm more than
 * their budget.
 */
const ERRORS: Table = {
  head: headOf(
    ...['Daily users', 'Drop', 'The stage it must not reach', 'Reached by chance'],
    'Reached, with faults that recur on every sixth day'
  ),
  lines: [2000, 5000, 50_000].flatMap((daily) =>
    (
      [
        [0.51, 100],
        [1.01, 50],
        [2.51, 20],
      ] as const
    ).map(([drop, rung]) => ({
      isQuick: false,
      draw: async () => {
        const anew = await releasesOf({ daily, drop })
        const recurring = await releasesOf({ daily, drop, recurrence: 1 / 6 })
        return lineOf([daily, `${drop} points`, `${rung} %`, beyond(anew), beyond(recurring)])
      },
    }))
  ),
}

/** The cost of a smaller and a greater budget. */
const BUDGETS: Table = {
  head: headOf(
    ...['Daily users', 'A user comes every', '`harmBudget`', 'Days to all, median (90 %)'],
    'Reach all'
  ),
  lines: (
    [
      [2000, 5, 0.25],
      [2000, 5, 1],
      [5000, 30, 0.25],
      [5000, 5, 0.25],
      [5000, 5, 1],
      [50_000, 5, 0.25],
      [50_000, 5, 1],
    ] as const
  ).map(([daily, every, budget]) => ({
    isQuick: false,
    draw: async () => {
      const all = await releasesOf({ daily, comes: 1 / every, harmBudget: budget / 100 })
      return lineOf([daily, `${every} days`, String(budget), daysOf(all), reach(all)])
    },
  })),
}

/** The effect of estimating the design effect if days differ. */
const ESTIMATES: Table = {
  head: headOf(
    ...['Daily users', 'Days differ by', 'Effect', 'Days to all, median (90 %)', 'Stopped'],
    ...['Drop of 0.5 points: reach all', 'Harmed, mean', 'Drop of 2 points: harmed, mean']
  ),
  lines: [5000, 50_000, 5_000_000].flatMap((daily) =>
    [0, 0.1].flatMap((variation) =>
      [13, 14].map((lived) => ({
        isQuick: false,
        draw: async () => {
          const [healthy, half, two] = [
            await releasesOf({ daily, variation, lived }),
            await releasesOf({ daily, variation, lived, drop: 0.5 }),
            await releasesOf({ daily, variation, lived, drop: 2 }),
          ]
          return lineOf([
            ...[daily, variation === 0 ? 'nothing' : percent(variation)],
            ...[lived === 14 ? 'estimated' : 'default', daysOf(healthy), stopped(healthy)],
            ...[reach(half), harmed(half), harmed(two)],
          ])
        },
      }))
    )
  ),
}

/** Returns the part of healthy versions that are stopped if sessions of one user crash together. */
const STOPS: Table = {
  head: headOf(
    ...['Daily sessions', 'Crashes in a row', 'Stopped with an effect of 5'],
    'Stopped with the estimated effect'
  ),
  lines: [15_000, 150_000, 15_000_000].flatMap((daily) =>
    [1, 3, 6].map((burst) => ({
      isQuick: false,
      draw: async () => {
        const given = { unit: 'sessions', daily, burst, waits: false } as const
        const [default5, estimated] = [
          await releasesOf({ ...given, lived: 13 }, HEALTHY),
          await releasesOf({ ...given, lived: 14 }, HEALTHY),
        ]
        return lineOf([daily, String(burst), stopped(default5), stopped(estimated)])
      },
    }))
  ),
}

/** The tables of docs/explanation/health-guard.md, by the name of their place on the page. */
export const TABLES: Readonly<Record<string, Table>> = {
  climbs: CLIMBS,
  errors: ERRORS,
  visits: VISITS,
  budgets: BUDGETS,
  estimates: ESTIMATES,
  stops: STOPS,
}

/** Measured rounds of several things, and what is said of them. */

/** Number of rounds per measurement. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)

/** The median of some figures as pages have it, `1,274 ms` or `0.29 ms`. */
export const reported = (values: readonly number[], unit: string, digits = 0): string =>
  `${fixed(median(values), digits)} ${unit}`

/** A number as pages have it. */
export const fixed = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]
}

/**
 * Measures several things in turn, several rounds, so that what else the machine does
 * falls on all of them; answers the figures of each, round by round.
 */
export async function inTurn<Name extends string>(
  runs: Record<Name, () => Promise<number>>
): Promise<Record<Name, number[]>> {
  const names = Object.keys(runs) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) figures[name].push(await runs[name]())
  }
  return figures as Record<Name, number[]>
}

/** The median of the ratios of each round. */
export function ratio(above: readonly number[], below: readonly number[]): number {
  return median(above.map((value, round) => value / below[round]))
}

/** Times requests that follow each other, after some to warm up; answers milliseconds of each. */
export async function timings(times: number, ask: () => Promise<unknown>): Promise<number[]> {
  for (let index = 0; index < Math.min(20, times); index++) await ask()
  const figures: number[] = []
  for (let index = 0; index < times; index++) {
    const began = performance.now()
    await ask()
    figures.push(performance.now() - began)
  }
  return figures
}

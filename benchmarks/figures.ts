/** Measures in rounds, and formats the figures for docs/benchmarks.md. */

/** Number of rounds per measurement. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)

/** Formats the median of some figures with its unit: `1,274 ms` or `0.29 ms`. */
export const reported = (values: readonly number[], unit: string, digits = 0): string =>
  `${fixed(median(values), digits)} ${unit}`

/** Formats a number with thousands separators: `1,274` or `0.29`. */
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
 * Measures several things in turn for `ROUNDS` rounds, so that other load on the machine affects
 * all of them alike; answers the figures of each by round.
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

/** Times sequential requests after up to 20 that warm up; answers the milliseconds of each. */
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

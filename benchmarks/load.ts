import autocannon from 'autocannon'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const CONNECTIONS = 10

/** Requests per second that a server answers; any answer but 2xx fails the run. */
export async function measure(
  base: string,
  key: string,
  requests: autocannon.Request[]
): Promise<number> {
  const run = (duration: number) =>
    autocannon({
      url: base,
      connections: CONNECTIONS,
      duration,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      requests,
    })
  await run(1)
  const result = await run(SECONDS)
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed`)
  }
  return result.requests.average
}

/**
 * Measures several things in turn, several rounds, so that what else the machine does
 * falls on all of them; answers the median of each.
 */
export async function inTurn(
  runs: Record<string, () => Promise<number>>,
  rounds = 3
): Promise<Record<string, number>> {
  const figures: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) (figures[name] ??= []).push(await run())
  }
  return Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]))
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

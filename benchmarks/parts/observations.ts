import { fixed, median, ratio, reported } from '../figures.js'
import type { Row } from '../part.js'
import { Stand } from '../stand.js'

/** Milliseconds of each round, for all looks together. */
export interface Observed {
  looks: number
  /** Commits of the job queue and of observations, per round. */
  commits: number[]
  worker: number[]
  port: number[]
  bare: number[]
}

/** Measures 1,000 observations that are due at once, each of which calls a provider on loopback. */
export function measureObservations(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const { looks, commits, worker, port, bare } =
      await stand.program<Observed>('benchmarks/observing.ts')
    const what = `${fixed(looks)} observations of one organization due at once, SQLite`
    const shareLost = (baseline: readonly number[]) =>
      `${fixed(100 * (1 - ratio(baseline, worker)))} %`
    return [
      { what, service: reported(worker, 'ms') },
      { what: `${what}: COMMITs that they cost`, service: fixed(median(commits)) },
      { what: `${what}: the same calls through the port alone`, service: reported(port, 'ms') },
      { what: `${what}: the same calls by bare \`fetch\``, service: reported(bare, 'ms') },
      { what: `${what}: share lost against bare \`fetch\``, service: shareLost(bare) },
      { what: `${what}: share lost to the job queue beside the port`, service: shareLost(port) },
    ]
  })
}

import { median, ratio, report } from '../figures.js'
import { Stand } from '../stand.js'

/** Milliseconds of each round, of everything together. */
export interface Observed {
  looks: number
  /** Of the agenda and what was taken in, in each round. */
  commits: number[]
  worker: number[]
  port: number[]
  bare: number[]
}

/** 1,000 observations that are due at once, each of which asks a provider on loopback. */
export async function measureObservations(): Promise<void> {
  await Stand.use('sqlite', async (stand) => {
    const { looks, commits, worker, port, bare } =
      await stand.program<Observed>('benchmarks/observing.ts')
    const told = (values: readonly number[]) => `${median(values).toFixed(0)} ms`
    report(`${looks} observations due at once, SQLite`, told(worker))
    report('COMMITs that they cost', median(commits).toFixed(0))
    report('the same calls through the port alone', told(port))
    report('the same calls by bare fetch', told(bare))
    const share = (of: readonly number[]) => `${(100 * (1 - ratio(of, worker))).toFixed(0)} %`
    report('share lost to the service against bare fetch', share(bare))
    report('share lost to the agenda beside the port', share(port))
  })
}

import autocannon from 'autocannon'
import type { Api } from './api.js'

/** Approximate duration of a measured run, in seconds. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)

const FIRST_REQUESTS = 200

/**
 * Load on a server by several connections, each of which repeats its own list of requests. A run
 * always sends whole cycles, so that a cycle which undoes its changes leaves the data unchanged.
 */
export class Load {
  #rate = 0
  #answered = 0

  /** @param cycles one list of requests per connection, all of the same length */
  constructor(
    private readonly api: Api,
    private readonly cycles: autocannon.Request[][]
  ) {}

  /** Number of answered requests in all runs. */
  get answered(): number {
    return this.#answered
  }

  /** Requests per second; any answer but 2xx fails the run. */
  async measure(): Promise<number> {
    if (this.#rate === 0) {
      this.#rate = await this.#send(FIRST_REQUESTS)
      this.#rate = await this.#send(this.#rate)
    }
    this.#rate = await this.#send(this.#rate * SECONDS)
    return this.#rate
  }

  async #send(wanted: number): Promise<number> {
    const unit = this.cycles.length * this.cycles[0].length
    const amount = Math.ceil(wanted / unit) * unit
    let connection = 0
    let last = 0
    const began = performance.now()
    const result = await new Promise<autocannon.Result>((resolve, reject) => {
      const instance = autocannon(
        {
          url: this.api.base,
          connections: this.cycles.length,
          amount,
          sampleInt: 100,
          headers: { 'x-api-key': this.api.key, 'content-type': 'application/json' },
          setupClient: (client) => client.setRequests(this.cycles[connection++]),
        },
        (error, done) => (error ? reject(error) : resolve(done))
      )
      // The result's own duration ends with a sample, not with the last answer.
      instance.on('response', () => (last = performance.now()))
    })
    if (result.non2xx > 0 || result.errors > 0) {
      throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed`)
    }
    this.#answered += result['2xx']
    return (amount * 1000) / (last - began)
  }
}

/** The same request on ten connections. */
export const everyConnection = (request: autocannon.Request): autocannon.Request[][] =>
  Array.from({ length: 10 }, () => [request])

/**
 * Status changes of items that each connection owns: every request changes something, and the
 * cycle ends where it began, with every item in progress.
 */
export function statusChanges(
  release: { appId: string; releaseId: string; itemIds: string[] },
  connections: number
): autocannon.Request[][] {
  const path = `/app/${release.appId}/release/${release.releaseId}/checklistItem`
  return Array.from({ length: connections }, (_, connection) => {
    const own = release.itemIds.filter((_id, index) => index % connections === connection)
    return ['passed', 'inProgress'].flatMap((status) =>
      own.map((id) => ({
        method: 'PUT' as const,
        path: `${path}/${id}/status`,
        body: JSON.stringify({ status }),
      }))
    )
  })
}

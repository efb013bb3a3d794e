import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * A provider on loopback: `PUT /<key>` has an effect, once for each key; `GET /<key>` answers
 * whether it had one.
 */
export class LoopbackProvider {
  /** Number of calls per key. */
  readonly calls = new Map<string, number>()
  /** In the order of the first calls. */
  readonly effects: string[] = []
  finds = 0
  readonly #server = createServer((request, response) => {
    const key = decodeURIComponent(request.url!.slice(1))
    if (request.method === 'GET') {
      this.finds += 1
      response.writeHead(this.effects.includes(key) ? 200 : 404).end()
      return
    }
    this.calls.set(key, (this.calls.get(key) ?? 0) + 1)
    if (!this.effects.includes(key)) this.effects.push(key)
    response.writeHead(204).end()
  })

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    const address = this.#server.address()
    if (!address || typeof address === 'string') throw new Error('No port')
    return `http://127.0.0.1:${address.port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the server received it. */
export interface Seen {
  method: string
  url: string
  headers: http.IncomingHttpHeaders
  body: string
}

export type Behaviour = (response: ServerResponse, seen: Seen) => void

/** Answers JSON. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** A provider on loopback with a list of behaviours, one per request; the last one stays. */
export class ProviderServer {
  readonly seen: Seen[] = []
  #behaviours: Behaviour[] = [json({})]
  readonly #server = http.createServer((request, response) => void this.#take(request, response))

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return this
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  answers(...behaviours: Behaviour[]): void {
    this.#behaviours = behaviours
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #take(request: IncomingMessage, response: ServerResponse) {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, body }
    this.seen.push(seen)
    const [next, ...others] = this.#behaviours
    if (others.length > 0) this.#behaviours = others
    response.on('error', () => {})
    next(response, seen)
  }
}

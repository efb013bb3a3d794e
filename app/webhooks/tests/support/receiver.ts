import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the receiver got. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  payload: { id: string; type: string; sequence?: number; [member: string]: unknown }
}

type Reply = (received: Received, response: ServerResponse, count: number) => void

/** An HTTP receiver on loopback that records its requests. */
export class Receiver {
  readonly received: Received[] = []
  url = ''
  /** The number of open requests, and its maximum so far. */
  open = 0
  mostOpen = 0

  readonly #server = http.createServer((request, response) => {
    this.open += 1
    this.mostOpen = Math.max(this.mostOpen, this.open)
    response.on('close', () => (this.open -= 1))
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const { url = '', headers } = request
      const received = { path: url, headers, body, payload: JSON.parse(body) }
      this.received.push(received)
      this.reply(received, response, this.received.length)
    })
  })

  constructor(public reply: Reply = (_received, response) => response.writeHead(204).end()) {}

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
    return this
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  /** Answers with this status from now on. */
  answer(status: number, headers: Record<string, string> = {}): void {
    this.reply = (_received, response) => response.writeHead(status, headers).end()
  }

  get sequences(): (number | undefined)[] {
    return this.received.map(({ payload }) => payload.sequence)
  }
}

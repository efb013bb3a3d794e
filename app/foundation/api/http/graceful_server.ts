import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/** Milliseconds after the grace period in which requests still get their refusals. */
const REFUSAL_TIME_MS = 500

/** Handles a request; a returned promise resolves when the work is done. */
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Shuts an HTTP server down without interrupting running requests. */
export class GracefulServer {
  readonly server: Server
  #running = 0
  #onDrained: (() => void) | null = null

  /** @param make creates the server with the given request listener */
  constructor(handler: Handler, make: (handler: RequestListener) => Server) {
    // A request may continue after its client has disconnected.
    const handleAndCount = async (request: IncomingMessage, response: ServerResponse) => {
      this.#running += 1
      try {
        await handler(request, response)
      } finally {
        this.#finish()
      }
    }
    this.server = make((request, response) => void handleAndCount(request, response))
    this.server.on('request', (_request, response) => {
      this.#running += 1
      response.once('close', () => this.#finish())
    })
  }

  /**
   * Closes idle connections at once, and others when their response is sent. Resolves when no
   * request is running, or shortly after `graceMs`. The server keeps listening until `close`, so
   * that probes still get responses.
   */
  async drain(graceMs: number): Promise<void> {
    this.server.closeIdleConnections()
    if (this.#running === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs + REFUSAL_TIME_MS)
      this.#onDrained = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    this.server.closeAllConnections()
    await closed
  }

  #finish() {
    this.#running -= 1
    if (!this.#onDrained) return
    this.server.closeIdleConnections()
    if (this.#running === 0) this.#onDrained()
  }
}

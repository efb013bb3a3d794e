import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/** The time after the grace period for requests that are refused then to get their response. */
const LAST_WORDS_MS = 500

/** Carries out a request; a returned promise resolves when that is done. */
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Ends an HTTP server between its requests instead of in the middle of them. */
export class GracefulServer {
  readonly server: Server
  #running = 0
  #onQuiet: (() => void) | null = null

  /** @param make creates the server with the given request listener */
  constructor(handler: Handler, make: (handler: RequestListener) => Server) {
    // A request may go on after its client has disconnected.
    const carryOut = async (request: IncomingMessage, response: ServerResponse) => {
      this.#running += 1
      try {
        await handler(request, response)
      } finally {
        this.#finish()
      }
    }
    this.server = make((request, response) => void carryOut(request, response))
    this.server.on('request', (_request, response) => {
      this.#running += 1
      response.once('close', () => this.#finish())
    })
  }

  /**
   * Closes idle connections at once and others when their response is sent. Resolves when no
   * request is running any more, at the latest shortly after `graceMs`. The server listens until it
   * is closed, so that probes still get answers.
   */
  async quiet(graceMs: number): Promise<void> {
    this.server.closeIdleConnections()
    if (this.#running === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs + LAST_WORDS_MS)
      this.#onQuiet = () => {
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
    if (!this.#onQuiet) return
    this.server.closeIdleConnections()
    if (this.#running === 0) this.#onQuiet()
  }
}

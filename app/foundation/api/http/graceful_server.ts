import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/** After the grace, how long those that are refused then have to hear it. */
const LAST_WORDS_MS = 500

/** Carries out a request; what it answers, where it is a promise, is kept when that is over. */
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Ends an HTTP server between its requests instead of in the middle of them. */
export class GracefulServer {
  readonly server: Server
  #running = 0
  #onQuiet: (() => void) | null = null

  /** @param make makes the server, which has requests carried out by what it is given */
  constructor(handler: Handler, make: (handler: RequestListener) => Server) {
    // A request may go on after its client has disconnected.
    const carryOut = async (request: IncomingMessage, response: ServerResponse) => {
      this.#running += 1
      try {
        await handler(request, response)
      } finally {
        this.#over()
      }
    }
    this.server = make((request, response) => void carryOut(request, response))
    this.server.on('request', (_request, response) => {
      this.#running += 1
      response.once('close', () => this.#over())
    })
  }

  /**
   * Closes idle connections at once and others when their answer is sent. It is quiet when nothing
   * is carried out any more, at the latest shortly after `graceMs`. Until it is closed it still
   * listens, so that probes learn how it stands.
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

  #over() {
    this.#running -= 1
    if (!this.#onQuiet) return
    this.server.closeIdleConnections()
    if (this.#running === 0) this.#onQuiet()
  }
}

import type { Server } from 'node:http'

/** Ends an HTTP server between its requests instead of in the middle of them. */
export class GracefulServer {
  #running = 0
  #onQuiet: (() => void) | null = null

  constructor(private readonly server: Server) {
    server.on('request', (_request, response) => {
      this.#running += 1
      response.once('close', () => {
        this.#running -= 1
        this.#afterAnswer()
      })
    })
  }

  /**
   * Closes idle connections at once and every other one when its answer is sent, at the
   * latest after `graceMs`. Until then, and while what ends beside the requests does, it still
   * listens, so that probes learn how it stands.
   */
  async end(graceMs: number, beside: () => Promise<void> = async () => {}): Promise<void> {
    this.server.closeIdleConnections()
    const quiet = this.#running > 0 ? this.#quiet(graceMs) : null
    await Promise.all([quiet, beside()])
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    this.server.closeAllConnections()
    await closed
  }

  #quiet(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs)
      this.#onQuiet = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #afterAnswer() {
    if (!this.#onQuiet) return
    this.server.closeIdleConnections()
    if (this.#running === 0) this.#onQuiet()
  }
}

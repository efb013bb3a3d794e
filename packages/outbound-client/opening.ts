import type http from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { classOf, OutboundTimeout, type ErrorClass } from './errors.js'

/** A request whose caller streams the answer. */
export interface OpenRequest {
  url: string
  method: string
  headers: Readonly<Record<string, string>>
  /** Bytes, or a stream, which can be sent only once. */
  body?: Uint8Array | AsyncIterable<Uint8Array>
  /** Aborts the request, and the reading of its answer. */
  signal: AbortSignal
  /** Milliseconds without data after which an established connection is given up. */
  idleTimeout?: number
}

/** An answer whose headers have arrived. The caller reads the body to its end, or destroys it. */
export interface OpenResponse {
  status: number
  /** Names in lower case; a repeated header occurs repeatedly. */
  headers: [name: string, value: string][]
  body: Readable
}

/** Milliseconds from the start of a request to its stages. */
export interface Timings {
  resolved?: number
  connected?: number
  answered?: number
}

/** No answer came. */
export class OutboundFailure extends Error {
  /**
   * @param wasConnected whether a connection was made, so that the host may have seen the request
   */
  constructor(
    readonly errorClass: ErrorClass,
    readonly wasConnected: boolean,
    cause: Error
  ) {
    super(cause.message, { cause })
  }
}

/** A request from its start until the headers of its answer arrive. It succeeds or fails once. */
export class Opening {
  readonly opened: Promise<OpenResponse>
  readonly timings: Timings = {}
  isOver = false
  remoteAddress: string | null = null

  readonly #startedAt = performance.now()
  readonly #request: OpenRequest
  #outgoing: http.ClientRequest | null = null
  #resolve!: (response: OpenResponse) => void
  #reject!: (failure: OutboundFailure) => void

  constructor(
    request: OpenRequest,
    private readonly connectTimeout: number
  ) {
    this.#request = request
    this.opened = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const abort = () => this.fail(reasonOf(request.signal))
    request.signal.addEventListener('abort', abort, { once: true })
    const connecting = setTimeout(() => {
      // Pending events are handled first, since a delay by this busy process is not the host's.
      setImmediate(() => {
        if (this.#isConnected) return
        this.fail(new OutboundTimeout('connectTimeout', this.connectTimeout))
      })
    }, connectTimeout)
    const settled = () => {
      clearTimeout(connecting)
      request.signal.removeEventListener('abort', abort)
    }
    this.opened.then(settled, settled)
    if (request.signal.aborted) abort()
  }

  get #isConnected(): boolean {
    return this.timings.connected !== undefined
  }

  /** Returns the milliseconds since the start. */
  elapsed(): number {
    return Math.round(performance.now() - this.#startedAt)
  }

  mark(stage: keyof Timings): void {
    this.timings[stage] ??= this.elapsed()
  }

  /** Sends a request over its own connection. */
  start(outgoing: http.ClientRequest): void {
    this.#outgoing = outgoing
    const { body, idleTimeout } = this.#request
    outgoing.on('error', (error) => this.fail(error))
    outgoing.on('socket', (socket) => {
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
        this.remoteAddress = socket.remoteAddress ?? null
        this.mark('connected')
      })
    })
    if (idleTimeout !== undefined) {
      outgoing.setTimeout(idleTimeout, () => {
        outgoing.destroy(new OutboundTimeout('timeout', idleTimeout))
      })
    }
    outgoing.on('response', (response) => this.#take(response))
    if (!body || body instanceof Uint8Array) outgoing.end(body)
    else pipeline(Readable.from(body), outgoing, (error) => error && this.fail(error))
  }

  #take(response: http.IncomingMessage): void {
    if (this.isOver) return
    this.isOver = true
    this.mark('answered')
    const { rawHeaders, statusCode = 0 } = response
    const headers: [string, string][] = []
    for (let at = 0; at < rawHeaders.length; at += 2) {
      headers.push([rawHeaders[at].toLowerCase(), rawHeaders[at + 1]])
    }
    const abort = () => response.destroy(reasonOf(this.#request.signal))
    this.#request.signal.addEventListener('abort', abort, { once: true })
    response.once('close', () => {
      this.#request.signal.removeEventListener('abort', abort)
      this.#outgoing?.destroy()
    })
    if (this.#request.signal.aborted) abort()
    this.#resolve({ status: statusCode, headers, body: response })
  }

  fail(error: Error): void {
    if (this.isOver) return
    this.isOver = true
    this.#outgoing?.destroy()
    this.#reject(new OutboundFailure(classOf(error), this.#isConnected, error))
  }
}

/** Returns the error of an aborted request: the timeout that its signal names, or `aborted`. */
const reasonOf = ({ reason }: AbortSignal): OutboundTimeout =>
  reason instanceof OutboundTimeout ? reason : new OutboundTimeout('aborted', 0)

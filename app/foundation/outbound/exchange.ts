import type http from 'node:http'
import { classOf, type ErrorClass } from './errors.js'

export interface OutboundRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: Buffer
  /** Milliseconds for everything. */
  timeout?: number
  /** How much of the answer is read; the connection is closed after that in any case. */
  maxBytes?: number
  /** Names of the answer's headers to hand back. */
  keepHeaders?: readonly string[]
  /** Ends the request early. */
  signal?: AbortSignal
}

interface Timings {
  /** Milliseconds from the start; absent when it never came so far. */
  resolved?: number
  connected?: number
  answered?: number
  total: number
}

export interface OutboundResult {
  /** Null exactly when no answer was read whole, or up to `maxBytes`. */
  errorClass: ErrorClass | null
  /** One line for logs and people, without secrets. */
  errorMessage: string | null
  status: number | null
  headers: Record<string, string>
  body: Buffer
  /** Whether the answer went on after `body`. */
  truncated: boolean
  /** The beginning of the answer as text that any database stores. */
  bodyPrefix: string
  remoteAddress: string | null
  timings: Timings
}

export const MAX_ANSWER_BYTES = 16 * 1024
const PREFIX_BYTES = 4 * 1024

const KEPT_HEADERS = ['content-type', 'content-length', 'date', 'location', 'retry-after', 'server']

/** One request under way: collects what is known of it and ends once. */
export class Exchange {
  readonly finished: Promise<OutboundResult>
  isOver = false
  isConnected = false

  readonly #request: OutboundRequest
  readonly #startedAt = performance.now()
  readonly #timings: Omit<Timings, 'total'> = {}
  readonly #chunks: Buffer[] = []
  #length = 0
  #outgoing: http.ClientRequest | null = null
  #answer: http.IncomingMessage | null = null
  #remoteAddress: string | null = null
  #finish!: (result: OutboundResult) => void

  constructor(request: OutboundRequest) {
    this.#request = request
    this.finished = new Promise((resolve) => (this.#finish = resolve))
  }

  mark(stage: keyof Omit<Timings, 'total'>): void {
    this.#timings[stage] ??= this.#elapsed()
  }

  /** Sends a request that has been opened, over a connection of its own. */
  start(outgoing: http.ClientRequest): void {
    this.#outgoing = outgoing
    outgoing.on('error', (error) => this.fail(error))
    outgoing.on('socket', (socket) => {
      const ready = 'encrypted' in socket ? 'secureConnect' : 'connect'
      socket.once(ready, () => {
        this.isConnected = true
        this.#remoteAddress = socket.remoteAddress ?? null
        this.mark('connected')
      })
    })
    outgoing.on('response', (answer) => this.#read(answer))
    outgoing.end(this.#request.body)
  }

  #read(answer: http.IncomingMessage): void {
    this.#answer = answer
    this.mark('answered')
    const limit = this.#request.maxBytes ?? MAX_ANSWER_BYTES
    answer.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#length += chunk.length
      if (this.#length > limit) this.#end(null)
    })
    answer.on('end', () => this.#end(null))
    answer.on('error', (error) => this.fail(error))
  }

  fail(error: Error): void {
    this.#end(error)
  }

  #end(error: Error | null): void {
    if (this.isOver) return
    this.isOver = true
    const limit = this.#request.maxBytes ?? MAX_ANSWER_BYTES
    this.#outgoing?.destroy()
    const body = Buffer.concat(this.#chunks).subarray(0, limit)
    this.#finish({
      errorClass: error && classOf(error),
      errorMessage: error && describe(error),
      status: this.#answer?.statusCode ?? null,
      headers: this.#keptHeaders(),
      body,
      truncated: this.#length > limit,
      bodyPrefix: storable(body.subarray(0, PREFIX_BYTES)),
      remoteAddress: this.#remoteAddress,
      timings: { ...this.#timings, total: this.#elapsed() },
    })
  }

  #keptHeaders(): Record<string, string> {
    const kept: Record<string, string> = {}
    for (const name of this.#request.keepHeaders ?? KEPT_HEADERS) {
      const value = this.#answer?.headers[name.toLowerCase()]
      if (value !== undefined) kept[name.toLowerCase()] = String(value)
    }
    return kept
  }

  #elapsed(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

function describe(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code
  return code && !error.message.includes(code) ? `${error.message} (${code})` : error.message
}

/** Text without the character that PostgreSQL refuses, cut at a whole character. */
function storable(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\u0000', '\ufffd')
}

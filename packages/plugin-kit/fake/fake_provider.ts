import type { Reached } from '../context.js'
import type { Scenario } from './scenario.js'
import { failed, type Failure } from './failures.js'

/** One request that a fake got, and what it answered. */
export interface Exchange {
  method: string
  /** As it was asked for, with host and query. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Null if the connection broke. */
  response: { status: number; headers: Readonly<Record<string, string>>; body: string } | null
}

/** A message that a provider sends by itself. */
export interface Delivery {
  headers: Record<string, string>
  rawBody: Uint8Array
}

export interface DeliveryOptions {
  secret: string
  /** Time it is sent, in milliseconds since the epoch. */
  at: number
}

/** A button of a message that was posted, and who presses it. */
export interface Press {
  channelId: string
  messageId: string
  label: string
  memberId: string
  /** Distinguishes this press from any other. */
  id: string
}

/** The interface through which the conformance suite drives a fake. */
export interface ProviderFake {
  /** Answers as the provider would. @throws FakeReset, FakeHang when a test wants it so */
  answer(request: Request): Promise<Response>
  /** Forgets everything, and has what a scenario says. */
  seed(scenario: Scenario): void
  /** Returns the present state. */
  state(): Scenario
  /** The next requests go wrong, one each; requests for tokens do not count. */
  failNext(...failures: Failure[]): void
  /** Answers so many requests more, and then that there were too many. */
  setRateLimit(requests: number): void
  /** Time passes. */
  advance(milliseconds: number): void
  /**
   * Returns the addresses that a plugin's program may connect to. Without it, nothing is reached
   * past HTTP.
   */
  reach?(to: Reached): readonly string[]
  /** One of the events that the manifest names, signed. */
  deliverWebhook?(event: string, options: DeliveryOptions): Delivery
  /** The provider's signed delivery when somebody presses a button of a message. */
  deliverPress?(press: Press, options: DeliveryOptions): Delivery
  /** All requests so far. */
  requests(): readonly Exchange[]
}

/** A fake provider of an author: `respond`, `seed` and `state` are theirs, the rest is here. */
export abstract class FakeProvider implements ProviderFake {
  #failures: Failure[] = []
  #left = Infinity
  #now = Date.parse('2026-11-20T12:00:00.000Z')
  readonly #exchanges: Exchange[] = []

  /** Returns the provider's regular answer. */
  protected abstract respond(request: Request): Promise<Response> | Response
  abstract seed(scenario: Scenario): void
  abstract state(): Scenario

  /** Returns the provider's answer to too many requests, with the delay until the next. */
  protected tooMany(waitSeconds: number): Response {
    return Response.json(
      { message: 'Too many requests' },
      { status: 429, headers: { 'retry-after': String(waitSeconds) } }
    )
  }

  /** Returns whether a request is for a token; those fail only if all requests do. */
  protected isForToken(_request: Request): boolean {
    return false
  }

  /** The fake's own time, in milliseconds since the epoch. */
  protected get now(): number {
    return this.#now
  }

  async answer(request: Request): Promise<Response> {
    const copy = request.clone()
    const exchange: Exchange = {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: await copy.text(),
      response: null,
    }
    this.#exchanges.push(exchange)
    const response = await this.#answer(request)
    const body = await response.clone().text()
    const { status } = response
    exchange.response = { status, headers: Object.fromEntries(response.headers), body }
    return response
  }

  async #answer(request: Request): Promise<Response> {
    if (this.isForToken(request)) return this.respond(request)
    if (this.#left <= 0) return this.tooMany(WAIT_SECONDS)
    this.#left -= 1
    const failure = this.#failures.shift()
    return failure === undefined
      ? this.respond(request)
      : failed(failure, async () => this.respond(request))
  }

  failNext(...failures: Failure[]): void {
    this.#failures.push(...failures)
  }

  setRateLimit(requests: number): void {
    this.#left = requests
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }

  requests(): readonly Exchange[] {
    return this.#exchanges
  }
}

/** Longer than a host waits while somebody waits for it. */
const WAIT_SECONDS = 90

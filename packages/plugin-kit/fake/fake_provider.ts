import type { DirectAccess } from '../context.js'
import type { Scenario } from './scenario.js'
import { failed, type Failure } from './failures.js'

/** One request to a fake, and its response. */
export interface Exchange {
  method: string
  /** The requested URL, with host and query. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Null if the connection broke. */
  response: { status: number; headers: Readonly<Record<string, string>>; body: string } | null
}

/** A webhook request that a provider sends. */
export interface Delivery {
  headers: Record<string, string>
  rawBody: Uint8Array
}

export interface DeliveryOptions {
  secret: string
  /** Time it is sent, in milliseconds since the epoch. */
  at: number
}

/** A button of a posted message, and the person who presses it. */
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
  /** Responds like the provider. @throws FakeReset, FakeHang if a test requests it */
  answer(request: Request): Promise<Response>
  /** Replaces the state with a scenario. */
  seed(scenario: Scenario): void
  /** Returns the current state. */
  state(): Scenario
  /** Makes the next requests fail, one per failure. Token requests do not count. */
  failNext(...failures: Failure[]): void
  /** Allows this many more requests, and refuses later ones with `tooMany`. */
  setRateLimit(requests: number): void
  /** Advances the fake's time. */
  advance(milliseconds: number): void
  /**
   * Returns the addresses that a plugin's program may connect to. Without this method, a fake is
   * reachable only over HTTP.
   */
  reach?(access: DirectAccess): readonly string[]
  /** Returns the signed delivery of an event that the manifest names. */
  deliverWebhook?(event: string, options: DeliveryOptions): Delivery
  /** Returns the provider's signed delivery for a press of a button. */
  deliverPress?(press: Press, options: DeliveryOptions): Delivery
  /** Returns all requests so far. */
  requests(): readonly Exchange[]
}

/** The base class of fake providers. Authors implement `respond`, `seed` and `state`. */
export abstract class FakeProvider implements ProviderFake {
  #failures: Failure[] = []
  #remaining = Infinity
  #now = Date.parse('2026-11-20T12:00:00.000Z')
  readonly #exchanges: Exchange[] = []

  /** Returns the provider's regular response. */
  protected abstract respond(request: Request): Promise<Response> | Response
  abstract seed(scenario: Scenario): void
  abstract state(): Scenario

  /** Returns the provider's response to too many requests, with the wait before the next. */
  protected tooMany(waitSeconds: number): Response {
    return Response.json(
      { message: 'Too many requests' },
      { status: 429, headers: { 'retry-after': String(waitSeconds) } }
    )
  }

  /** Returns whether a request is for a token. Such requests neither fail nor count. */
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
    if (this.#remaining <= 0) return this.tooMany(WAIT_SECONDS)
    this.#remaining -= 1
    const failure = this.#failures.shift()
    return failure === undefined
      ? this.respond(request)
      : failed(failure, async () => this.respond(request))
  }

  failNext(...failures: Failure[]): void {
    this.#failures.push(...failures)
  }

  setRateLimit(requests: number): void {
    this.#remaining = requests
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }

  requests(): readonly Exchange[] {
    return this.#exchanges
  }
}

/** Longer than a host retries while a caller waits. */
const WAIT_SECONDS = 90

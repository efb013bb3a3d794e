import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { literalOf } from './addresses.js'
import { OutboundTimeout } from './errors.js'
import {
  MAX_ANSWER_BYTES,
  readExchange,
  type OutboundRequest,
  type OutboundResult,
} from './exchange.js'
import { OutboundGuard, type GuardOptions } from './guard.js'
import { Opening, type OpenResponse, type OpenRequest } from './opening.js'
import { NameResolver, type Resolver } from './resolver.js'

export interface OutboundOptions extends GuardOptions {
  /** Replaces the DNS lookup, in tests. */
  resolve?: Resolver
  /** Certificates to trust beside the system's, PEM; for private networks. */
  ca?: string[]
  /** Milliseconds for lookup, connection and TLS together. */
  connectTimeout?: number
  userAgent?: string
}

export const CONNECT_TIMEOUT = 5000
export const TOTAL_TIMEOUT = 15_000

/**
 * The service's only client for outgoing connections. It connects only where the guard allows, to
 * exactly the addresses that were checked, follows no redirects, uses no proxy and limits the size
 * of answers. `request` reports a failure as a result with an `errorClass` and does not throw.
 *
 * Each request uses a new connection, which is closed once the answer is read.
 */
export class OutboundClient {
  readonly guard: OutboundGuard
  readonly #options: OutboundOptions
  readonly #resolve: Resolver

  constructor(options: OutboundOptions = {}) {
    this.guard = new OutboundGuard(options)
    this.#options = options
    this.#resolve = options.resolve ?? new NameResolver().resolve
  }

  /** Sends a request and reads its answer, within a limit of bytes and of total time. */
  async request(request: OutboundRequest): Promise<OutboundResult> {
    const { timeout = TOTAL_TIMEOUT, method = 'GET', headers = {} } = request
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(new OutboundTimeout('timeout', timeout)), timeout)
    const signal = request.signal ? AbortSignal.any([request.signal, limit.signal]) : limit.signal
    try {
      return await readExchange(this.#begin({ ...request, method, headers, signal }), request)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Sends a request and returns as soon as the headers of the answer arrive, for callers who stream
   * the body. Only the signal limits it; a redirect is returned as an answer.
   * @throws OutboundFailure, which states whether there was a connection
   */
  async open(request: OpenRequest): Promise<OpenResponse> {
    return this.#begin(request).opened
  }

  #begin(request: OpenRequest): Opening {
    const opening = new Opening(request, this.#options.connectTimeout ?? CONNECT_TIMEOUT)
    void this.#send(request, opening)
    return opening
  }

  /**
   * Resolves the name, checks its addresses and sends the request; reports the result to the
   * opening.
   */
  async #send(request: OpenRequest, opening: Opening): Promise<void> {
    try {
      const url = this.guard.checkUrl(request.url)
      const addresses = await this.addressesOf(url)
      opening.mark('resolved')
      if (!opening.isOver) opening.start(this.#open(url, addresses, request))
    } catch (error) {
      opening.fail(error as Error)
    }
  }

  /**
   * Returns all addresses of a host, each of them checked, for a program that connects itself and
   * may use these alone.
   * @param url https, http or ssh
   * @throws OutboundRefused; the resolver's errors
   */
  async addressesOf(url: URL): Promise<string[]> {
    const literal = literalOf(url.hostname)
    const addresses = literal === null ? await this.#resolve(url.hostname) : [literal]
    if (addresses.length === 0) {
      throw Object.assign(new Error('The name has no address'), { code: 'ENOTFOUND' })
    }
    this.guard.checkAddresses(url, addresses)
    return addresses
  }

  #open(url: URL, addresses: string[], request: OpenRequest): http.ClientRequest {
    const { body, method } = request
    const { request: open } = url.protocol === 'https:' ? https : http
    const options = {
      method,
      headers: {
        'user-agent': this.#options.userAgent ?? 'Tarmac',
        ...request.headers,
        ...(body instanceof Uint8Array ? { 'content-length': String(body.length) } : {}),
      },
      // Never the shared agent, which keeps connections and may follow proxy variables.
      agent: false as const,
      lookup: pinned(addresses),
      maxHeaderSize: MAX_ANSWER_BYTES,
      ...(this.#options.ca ? { ca: this.#options.ca } : {}),
    }
    return open(url, options)
  }
}

/**
 * Returns a lookup that yields the checked addresses, even if the name resolves to others by now.
 */
function pinned(addresses: string[]): LookupFunction {
  const results = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, results)
    else callback(null, results[0].address, results[0].family)
  }
}

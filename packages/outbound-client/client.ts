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
import { Opening, type OpenAnswer, type OpenRequest } from './opening.js'
import { NameResolver, type Resolver } from './resolver.js'

export interface OutboundOptions extends GuardOptions {
  /** Replaces the look-up of names, for tests. */
  resolve?: Resolver
  /** Certificates to trust beside the system's, PEM; for private networks. */
  ca?: string[]
  /** Milliseconds for name, connection and TLS together. */
  connectTimeout?: number
  userAgent?: string
}

export const CONNECT_TIMEOUT = 5000
export const TOTAL_TIMEOUT = 15_000

/**
 * The only way out of the service. It connects only where the guard allows, to the very
 * addresses that were checked, follows no redirect, knows no proxy and reads no endless
 * answer. A failure is a result with an `errorClass`; nothing is thrown.
 *
 * Each request has a connection of its own, which is gone once its answer is read.
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

  /** Sends a request and reads its answer, up to a limit of bytes and of time for everything. */
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
   * Sends a request and answers as soon as the head of the answer is there, for callers who read
   * long answers as they come. There is no limit but the signal's; a redirect is an answer.
   * @throws OutboundFailure, which states whether there was a connection
   */
  async open(request: OpenRequest): Promise<OpenAnswer> {
    return this.#begin(request).opened
  }

  #begin(request: OpenRequest): Opening {
    const opening = new Opening(request, this.#options.connectTimeout ?? CONNECT_TIMEOUT)
    void this.#send(request, opening)
    return opening
  }

  /** Resolves, checks and sends; whatever comes of it ends in the opening. */
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
   * All addresses of a host, every one of them checked: for what connects by itself, to these and
   * no others.
   * @param url https, http or ssh
   * @throws OutboundRefused; what the resolver throws
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

/** Answers with the checked addresses, whatever the name resolves to by now. */
function pinned(addresses: string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, answers)
    else callback(null, answers[0].address, answers[0].family)
  }
}

import { randomUUID } from 'node:crypto'
import { isRead } from '../plugin-kit/answer_error.js'
import { mayRepeat } from '../plugin-kit/port/retrying.js'
import type { PluginContext, DirectAccess } from '../plugin-kit/context.js'
import {
  isBodiless,
  makeResponse,
  markInDoubt,
  type PortFetch,
  type PortInit,
} from '../plugin-kit/http.js'
import { makeHttp } from '../plugin-kit/make_http.js'
import { signsRequests, type PluginManifest, type RatePolicy } from '../plugin-kit/manifest.js'
import type { Lifecycle } from '../plugin-kit/plugin.js'
import { ProviderError, type ProviderErrorCode } from '../plugin-kit/provider_error.js'
import { admitted, type Admitted } from '../plugin-kit/port/admission.js'
import { baseOf, requireNamed, type Place } from '../plugin-kit/port/allowed_hosts.js'
import type { Breaker } from './breaker.js'
import type { Breakers } from './breakers.js'
import { Call, type CallDependencies, type MadeAttempt } from './call.js'
import type { CallRecorder, RecordedCall } from './records.js'
import type { Outgoing, PortResponse } from './messages.js'
import type { AuthenticationDoor, Authenticator, Credentials } from '../plugin-kit/port/door.js'
import { Redaction } from '../plugin-kit/port/redaction.js'
import { callDirectly } from './direct_call.js'
import { safePath } from './safe_path.js'

/** The connection of a call, with its credentials. */
interface PortConnection {
  manifest: PluginManifest
  settings: Readonly<Record<string, unknown>>
  credentials: Credentials
  /** Identical credentials have the same one, because they share a rate limit at the provider. */
  fingerprint: string
  /** Null for credentials that are checked before they are stored. */
  id: string | null
  recorder: CallRecorder
}

export interface PortUse {
  connection: PortConnection
  /** Aborts when the caller no longer waits. */
  signal: AbortSignal
  /** True if a person waits for the calls, so that they take precedence over background calls. */
  isForPerson: boolean
  describeError: () => Promise<Lifecycle['describeError']>
  authenticator: (door: AuthenticationDoor) => Authenticator | null
}

interface PortDependencies extends CallDependencies {
  breakers: Breakers
  timeoutMs: number
}

/** Token requests have their own budget, so that polling cannot starve them. */
const TOKEN_RATE: RatePolicy = { requests: 60, perSeconds: 60, concurrency: 4, scope: 'connection' }

/**
 * Calls providers: checks hosts, applies rate limits and timeouts, retries, and records calls.
 */
export class HttpPort {
  constructor(private readonly dependencies: PortDependencies) {}

  /** Returns the functions that one capability calls its provider with. */
  use(
    use: PortUse
  ): Pick<PluginContext, 'fetch' | 'http' | 'reach' | 'pause'> & { redaction: Redaction } {
    const { manifest, settings, credentials } = use.connection
    const { hosts, rate } = manifest
    const redaction = new Redaction(credentials)
    const { redact } = redaction
    const base = baseOf(hosts, settings.host)
    // A connection that is not stored has its own breakers and budgets.
    const owner = use.connection.id ?? randomUUID()
    const caller = { use, redaction, owner, authenticator: null as Authenticator | null }
    caller.authenticator = use.authenticator({
      base,
      learn: (...secrets) => redaction.learn(...secrets),
      describeError: async (...result) => (await use.describeError())?.(...result),
      fetch: (input, origin, init = {}) => {
        const url = new URL(input)
        if (url.origin !== origin)
          throw new Error('A token request must go to the origin of the token endpoint')
        const request = new Request(url, init)
        const { headers } = request
        return this.#fetch(caller, request, init, { place: 'token', isAnonymous: true, headers })
      },
    })
    const fetch: PortFetch = async (input, init = {}) => {
      const request = requestOf(input, init)
      const allowed = admitted(request, init, { hosts, settings, redact })
      return this.#fetch(caller, request, init, allowed)
    }
    const http = makeHttp({
      fetch,
      base,
      now: () => this.dependencies.clock.milliseconds(),
      describeError: use.describeError,
      redact,
      permits: async () => (await caller.authenticator?.permits(use.signal)) ?? null,
      rate,
      isSigned: signsRequests(use.connection.manifest),
    })
    return {
      fetch,
      http,
      redaction,
      reach: (access, work) => this.#callDirectly(caller, access, work),
      pause: (milliseconds) => this.dependencies.pause(milliseconds, use.signal),
    }
  }

  async #fetch(
    caller: Caller,
    request: Request,
    init: PortInit,
    { place, isAnonymous, headers }: Omit<Admitted, 'place'> & { place: Place | 'token' }
  ): Promise<Response> {
    const { use, redaction } = caller
    const { method } = request
    const url = new URL(request.url)
    const path = redaction.redact(init.template ?? safePath(url.pathname, redaction.redact))
    const outgoing: Outgoing = {
      url,
      method,
      headers,
      body: await bodyOf(request, init),
      isDownload: init.download === true,
      timeoutMs: init.timeoutMs ?? this.dependencies.timeoutMs,
      // A token request serves all who wait for the token, and an aborted renewal may lose the
      // token pair; so the caller's signal does not apply.
      signal: place === 'token' ? request.signal : AbortSignal.any([use.signal, request.signal]),
      where: `${url.host}${path}`,
      ratePolicy: use.connection.manifest.rate,
    }
    const authenticator = isAnonymous ? null : caller.authenticator
    const call = new Call(this.dependencies, {
      outgoing,
      authenticator,
      breaker: this.#breakerOf(caller, url.host),
      rate: place === 'token' ? TOKEN_RATE : use.connection.manifest.rate,
      budgetKey: budgetKeyOf(caller, url.host, place),
      isForPerson: use.isForPerson,
      isRepeatable: mayRepeat(method, init),
      isChange: !isRead(method) && init.isQuery !== true,
      made: (made) => this.#recordAttempt(caller, { method, host: url.host, path }, made),
    })
    try {
      return responseOf(await call.run(), url)
    } catch (error) {
      // A caller who aborts a `fetch` gets the reason of its own signal.
      if (request.signal.aborted) throw request.signal.reason
      throw error
    }
  }

  async #callDirectly<Result>(
    caller: Caller,
    access: DirectAccess,
    work: (addresses: readonly string[]) => Promise<Result>
  ): Promise<Result> {
    const { use, redaction } = caller
    const url = requireNamed(access.origin, use.connection.settings)
    const path = redaction.redact(access.path)
    const { transport, clock } = this.dependencies
    const breaker = this.#breakerOf(caller, url.host)
    const { isForPerson, signal } = use
    return callDirectly(
      {
        transport,
        clock,
        breaker,
        isForPerson,
        signal,
        record: ({ milliseconds, code, verdict }) => {
          const outcome = code === null ? 'applied' : 'unknown'
          const called = { method: access.method.slice(0, 16), host: url.host, path }
          this.#log(caller, called, {
            milliseconds,
            code,
            outcome,
            status: null,
            attempt: 1,
            remaining: null,
          })
          const failure = verdict === 'outage' ? code : null
          if (code === null || failure) this.#report(use.connection, url.host, breaker, failure)
        },
      },
      url,
      { ...access, path },
      work
    )
  }

  #breakerOf({ use, owner }: Caller, host: string) {
    return this.dependencies.breakers.of(`${owner} ${host}`, (breaker) =>
      this.#report(use.connection, host, breaker, null)
    )
  }

  /** @param failure the error code of an outage that just happened */
  #report(
    connection: PortConnection,
    host: string,
    { state, openUntil: until }: Pick<Breaker, 'state' | 'openUntil'>,
    failure: ProviderErrorCode | null
  ) {
    const failedAt = failure === null ? null : this.dependencies.clock.now()
    const openUntil = until === null ? null : new Date(until).toISOString()
    connection.recorder.report({ host, state, failedAt, failure, openUntil })
  }

  #recordAttempt(caller: Caller, called: Called, made: MadeAttempt) {
    const { answer: response, failure, ...rest } = made
    const status = response?.status ?? failure?.error.detail.status ?? null
    this.#log(caller, called, { ...rest, status })
    const isOutage = failure?.verdict === 'outage'
    if (status === null && !isOutage) return
    const breaker = this.#breakerOf(caller, called.host)
    this.#report(caller.use.connection, called.host, breaker, isOutage ? failure.error.code : null)
  }

  #log(
    { use }: Caller,
    called: Called,
    made: Omit<RecordedCall, 'calledAt' | 'method' | 'host' | 'path'>
  ) {
    use.connection.recorder.add({
      calledAt: this.dependencies.clock.now(),
      ...called,
      path: called.path.slice(0, 255),
      host: called.host.slice(0, 255),
      ...made,
    })
  }
}

interface Called {
  method: string
  host: string
  path: string
}

interface Caller {
  use: PortUse
  redaction: Redaction
  owner: string
  authenticator: Authenticator | null
}

function requestOf(input: string | URL | Request, init: PortInit): Request {
  const isStream = typeof init.body === 'object' && init.body !== null && isIterable(init.body)
  try {
    // `Request` requires `duplex` for a streamed body.
    return new Request(input, isStream ? ({ ...init, duplex: 'half' } as RequestInit) : init)
  } catch (error) {
    const reported = error instanceof Error ? error.message : String(error)
    const isUrl = reported.includes('URL')
    throw new ProviderError('invalid', isUrl ? 'This is not a URL of a provider' : reported, {
      outcome: 'notApplied',
    })
  }
}

const isIterable = (body: object) =>
  body instanceof ReadableStream || (Symbol.asyncIterator in body && !(body instanceof Blob))

async function bodyOf(request: Request, init: PortInit): Promise<Outgoing['body']> {
  if (request.body === null) return null
  const { body } = init
  if (typeof body === 'object' && body !== null && isIterable(body)) {
    return request.body as unknown as AsyncIterable<Uint8Array>
  }
  return new Uint8Array(await request.arrayBuffer())
}

function budgetKeyOf({ use, owner }: Caller, host: string, place: Place | 'token'): string {
  const { connection } = use
  if (place === 'token') return `token:${owner}`
  if (place === 'download' || place === 'upload') return `${place}:${owner}:${host}`
  const { id, rate } = connection.manifest
  if (rate.scope === 'host') return `host:${host}`
  if (rate.scope === 'connection') return `connection:${owner}`
  return `credential:${id}:${connection.fingerprint}`
}

function responseOf({ status, headers, body, isInDoubt }: PortResponse, url: URL): Response {
  if (isBodiless(status) && body instanceof ReadableStream) void body.cancel()
  const content = body as ConstructorParameters<typeof Response>[0]
  const response = makeResponse(content, { status, headers }, url.href)
  if (isInDoubt) markInDoubt(response)
  return response
}

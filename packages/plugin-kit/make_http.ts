import { errorOfAnswer, isRead } from './answer_error.js'
import {
  isInDoubt,
  makeResponse,
  type Http,
  type HttpRequest,
  type HttpResponse,
  type PortFetch,
  type PortInit,
  type Permits,
} from './http.js'
import { mayHaveMore } from './json_members.js'
import type { DescribedError } from './described_error.js'
import type { RatePolicy } from './manifest.js'
import type { Lifecycle } from './plugin.js'
import { isProviderError, ProviderError } from './provider_error.js'
import { readRate, waitInBody } from './rate_reading.js'
import { wrongClock } from './wrong_clock.js'

const MAX_REDIRECTS = 5

/** An answer with more members is refused: parsing it would block the event loop. */
const MAX_MEMBERS = 100_000

export interface HttpDependencies {
  fetch: PortFetch
  /** The base URL of paths; null if there is none. */
  base: string | null
  /** Milliseconds since the epoch. */
  now: () => number
  /** Loads the plugin's description of the vendor's errors, when one occurs. */
  describeError: () => Promise<Lifecycle['describeError']>
  redact: (text: string) => string
  /** Returns what the token in use permits, if the provider said so. */
  permits: () => Promise<Permits | null>
  /** The provider's ways to ask for a later retry. */
  rate?: Pick<RatePolicy, 'retryAfterHeaders' | 'pauses'>
  /**
   * Requests are signed with the time of this machine, so a wrong clock can be why they are
   * refused.
   */
  isSigned?: boolean
}

/** Makes a plugin's HTTP client for JSON upon a port's `fetch`. */
export function makeHttp(dependencies: HttpDependencies): Http {
  return {
    send: (request) => send(dependencies, request) as Promise<HttpResponse<never>>,
    download: (request) => download(dependencies, request),
    permits: () => dependencies.permits(),
    client: (input, init) => fetchForClient(dependencies, input, init),
  }
}

/** Returns the URL of a request, and its name in the log. */
export function addressOf(base: string | null, { path, params = {}, query = {} }: HttpRequest) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(params, name) ? String(params[name]) : ''
    // `..` would climb to the parent path, and an empty value would name it.
    if (value === '' || value === '.' || value === '..') {
      throw new ProviderError('invalid', `The path lacks its ${name}`, { outcome: 'notApplied' })
    }
    return encodeURIComponent(value)
  })
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`)
  )
  const whole = /^https?:\/\//.test(filled) ? filled : `${base ?? ''}${filled}`
  if (!URL.canParse(whole)) {
    throw new ProviderError('invalid', 'There is no host to call', { outcome: 'notApplied' })
  }
  // TestRail's API paths already contain a question mark.
  const more = pairs.length === 0 ? '' : `${whole.includes('?') ? '&' : '?'}${pairs.join('&')}`
  const template = Object.keys(params).length === 0 ? undefined : pathOf(path)
  return { url: whole + more, template }
}

const pathOf = (path: string) => path.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*/, '') || '/'

async function send(dependencies: HttpDependencies, request: HttpRequest): Promise<HttpResponse> {
  const { url, response } = await ask(dependencies, request)
  const { status, headers } = response
  const text = await response.text()
  const body = request.accept === 'text' ? text : parsed(text)
  const isExpected = request.expect?.includes(status) ?? false
  await requireSuccess(dependencies, {
    ...reported(dependencies, request, url),
    response,
    text,
    body,
    isExpected,
  })
  return { status, headers, body: body ?? null }
}

/** An answer whose body was read, with the parts of its request that may be shown. */
interface ReadAnswer {
  method: string
  where: string
  response: Response
  text: string
  /** Undefined if JSON was requested and the body is not JSON. */
  body: unknown
  isExpected?: boolean
}

/** @throws ProviderError for an error, or an answer that does not come from the API */
async function requireSuccess(dependencies: HttpDependencies, answer: ReadAnswer): Promise<void> {
  const { method, where, response, text, body, isExpected = false } = answer
  const { status, headers } = response
  const described = body === undefined ? undefined : await describedBy(dependencies, response, body)
  if (described || !(response.ok || isExpected)) {
    const rate = rateOf(dependencies, headers, body)
    const doubt = isInDoubt(response)
    throw errorOfAnswer(
      { method, where, status, body, rate, described, isInDoubt: doubt },
      dependencies.redact
    )
  }
  // The page of a proxy or a login instead of JSON, or too much JSON.
  if (body === undefined && response.ok) {
    throw new ProviderError(
      'protocol',
      `${method} ${where} answered ${status} with ${descriptionOfNoJson(text)}`,
      { outcome: isRead(method) ? 'notApplied' : 'unknown', status }
    )
  }
}

async function describedBy(
  dependencies: HttpDependencies,
  { status, headers }: Response,
  body: unknown
): Promise<DescribedError | undefined> {
  const clock =
    dependencies.isSigned && status === 401 ? wrongClock(headers, dependencies.now()) : null
  if (clock) return { code: 'unauthorized', ...clock }
  return (await dependencies.describeError())?.(status, body, headers)
}

async function fetchForClient(
  dependencies: HttpDependencies,
  input: string | URL | Request,
  init: PortInit = {}
): Promise<Response> {
  const { method, url, headers } = new Request(input, init)
  const response = await dependencies.fetch(input, init)
  const text = await response.text()
  const wantsJson = headers.get('accept')?.includes('json') ?? true
  const { host, pathname } = new URL(url)
  await requireSuccess(dependencies, {
    method,
    where: dependencies.redact(`${host}${pathname}`),
    response,
    text,
    body: wantsJson || !response.ok ? parsed(text) : text,
  })
  return makeResponse(text, response, url)
}

/**
 * Awaits a call of a vendor's client that uses `Http.client`, and unwraps its error.
 * @throws the ProviderError of the client's fetch, however the client wrapped it; `protocol` with
 * an unknown outcome for the client's own errors
 */
export async function answerOfClient<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (isProviderError(cause)) throw cause
    }
    const { message } = error as Error
    throw new ProviderError('protocol', `The client of the provider failed: ${message}`, {
      outcome: 'unknown',
    })
  }
}

async function download(
  dependencies: HttpDependencies,
  request: HttpRequest
): Promise<ReadableStream<Uint8Array>> {
  const first = await ask(dependencies, request, { download: true })
  let { url, response } = first
  for (let hops = 0; response.status >= 300 && response.status < 400; hops++) {
    const location = response.headers.get('location')
    if (hops === MAX_REDIRECTS || !location || !URL.canParse(location, url)) {
      throw errorOfAnswer(
        {
          ...reported(dependencies, request, url),
          status: response.status,
          body: undefined,
          rate: {},
        },
        dependencies.redact
      )
    }
    url = new URL(location, url).href
    const anonymous = request.anonymous || new URL(url).origin !== new URL(first.url).origin
    await response.body?.cancel()
    response = await dependencies.fetch(url, {
      download: true,
      anonymous,
      timeoutMs: request.timeoutMs,
    })
  }
  if (response.ok) return response.body ?? new Blob([]).stream()
  const body = parsed(await textUpTo(response, MAX_ERROR_BYTES))
  const described = body === undefined ? undefined : await describedBy(dependencies, response, body)
  throw errorOfAnswer(
    {
      ...reported(dependencies, request, url),
      status: response.status,
      body,
      rate: rateOf(dependencies, response.headers, body),
      described,
    },
    dependencies.redact
  )
}

const MAX_ERROR_BYTES = 64 * 1024

async function textUpTo(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > limit) break
  }
  return text
}

async function ask(
  dependencies: HttpDependencies,
  request: HttpRequest,
  more: { download?: boolean } = {}
) {
  const { method, json, form, idempotent, timeoutMs, anonymous, accept = 'json' } = request
  const { url, template } = addressOf(dependencies.base, request)
  const headers = new Headers(request.headers as Record<string, string>)
  if (accept === 'json' && !more.download && !headers.has('accept')) {
    headers.set('accept', 'application/json')
  }
  let body: string | URLSearchParams | undefined
  if (json !== undefined) {
    body = JSON.stringify(json)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  } else if (form) body = new URLSearchParams(form)
  const init = { method, headers, body, idempotent, timeoutMs, anonymous, template, ...more }
  return { url, response: await dependencies.fetch(url, init) }
}

/**
 * Returns the parts of a request that may be shown: never its query, where some vendors put
 * secrets.
 */
function reported(dependencies: HttpDependencies, request: HttpRequest, url: string) {
  const template = addressOf(dependencies.base, request).template
  const { host, pathname } = new URL(url)
  return { method: request.method, where: dependencies.redact(`${host}${template ?? pathname}`) }
}

function rateOf(dependencies: HttpDependencies, headers: Headers, body: unknown) {
  const rate = readRate(headers, dependencies.now(), dependencies.rate?.retryAfterHeaders)
  const inBody = waitInBody(body, dependencies.rate?.pauses)
  return inBody === undefined ? rate : { ...rate, retryAfterMs: rate.retryAfterMs ?? inBody }
}

const isTooLarge = (text: string) => mayHaveMore(text, MAX_MEMBERS)

const descriptionOfNoJson = (text: string) =>
  isTooLarge(text) ? `more than ${MAX_MEMBERS} members of JSON` : 'no JSON'

/** Parses JSON. Null for an empty text; undefined if it is not JSON, or too large. */
function parsed(text: string): unknown {
  if (text.trim() === '') return null
  if (isTooLarge(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

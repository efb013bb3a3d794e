import { codeOfStatus, isRead, waitOfRate } from '../answer_error.js'
import { ConnectionAuthenticator, type TokenPairs } from '../authentication/authenticators.js'
import type { TokenCache } from '../authentication/token_cache.js'
import { unwatched } from './machine_watch.js'
import { FakeHang, FakeReset } from '../fake/failures.js'
import type { ProviderFake } from '../fake/fake_provider.js'
import { markInDoubt, type Http, type PortFetch, type PortInit } from '../http.js'
import { makeHttp } from '../make_http.js'
import { signsRequests } from '../manifest.js'
import type { Plugin } from '../plugin.js'
import { admitted } from '../port/admission.js'
import { baseOf } from '../port/allowed_hosts.js'
import type { Authenticator, Credentials, PortClock } from '../port/door.js'
import { Redaction } from '../port/redaction.js'
import { mayRepeat, retryWaitOf, type Failure } from '../port/retrying.js'
import { ProviderError, type ProviderErrorCode } from '../provider_error.js'
import { readRate } from '../rate_reading.js'

/*
 * The port as a plugin sees it, with a fake instead of a network. Allowed hosts, authentication,
 * retries and error codes follow the service's own rules, from the same files. Left out is what a
 * plugin does not see: budgets, breakers, the log.
 */

const NEVER = new AbortController().signal
const MAX_ATTEMPTS = 3
const TIMEOUT_MS = 30_000
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024

export interface HostDependencies {
  plugin: Plugin
  fake: ProviderFake
  clock: PortClock & { advance(milliseconds: number): void }
  settings: Readonly<Record<string, unknown>>
  credentials: Credentials
  signal: AbortSignal
  tokens: TokenCache
  /** Cache key of tokens. */
  connection: string
  /** The token pair of the connection: a refresh token may work only once. */
  pairs: TokenPairs
  /** Called for a host that is not allowed. */
  refused: (url: string) => void
  /** The end of a request without an answer: by its timeout, or only when it is aborted. */
  hanging: 'late' | 'lasting'
}

/** Returns the functions that one connection calls its provider with. */
export function makeHost(dependencies: HostDependencies): { fetch: PortFetch; http: Http } {
  const { plugin, settings, credentials } = dependencies
  const { manifest } = plugin
  const redaction = new Redaction(credentials)
  const base = baseOf(manifest.hosts, settings.host)
  const authenticator = authenticatorOf(dependencies, base, redaction)
  const fetch: PortFetch = async (input, init = {}) => {
    const isStream = init.body instanceof ReadableStream
    const request = new Request(input, (isStream ? { ...init, duplex: 'half' } : init) as PortInit)
    const { isAnonymous, headers } = admittedOf(dependencies, request, init, redaction)
    const sent = new Request(request, { headers })
    return call(dependencies, sent, init, isAnonymous ? null : authenticator)
  }
  const http = makeHttp({
    fetch,
    base,
    now: () => dependencies.clock.milliseconds(),
    describeError: async () => (await plugin.lifecycle()).default.describeError,
    redact: redaction.redact,
    permits: () => authenticator.permits(dependencies.signal),
    rate: manifest.rate,
    isSigned: signsRequests(manifest),
  })
  return { fetch, http }
}

function admittedOf(
  { plugin, settings, refused }: HostDependencies,
  request: Request,
  init: PortInit,
  { redact }: Redaction
) {
  try {
    return admitted(request, init, { hosts: plugin.manifest.hosts, settings, redact })
  } catch (error) {
    refused(new URL(request.url).host)
    throw error
  }
}

function authenticatorOf(
  dependencies: HostDependencies,
  base: string | null,
  redaction: Redaction
) {
  const { plugin, credentials, clock, tokens, connection, pairs } = dependencies
  return new ConnectionAuthenticator({
    manifest: plugin.manifest,
    credentials,
    clock,
    cache: tokens,
    pairs,
    key: connection,
    door: {
      base,
      learn: (...secrets) => redaction.learn(...secrets),
      describeError: async (...result) =>
        (await plugin.lifecycle()).default.describeError?.(...result),
      fetch: (input, _origin, init = {}) =>
        // A token is obtained for all who wait for it, so no single caller's abort ends the
        // request.
        call(
          { ...dependencies, signal: NEVER },
          new Request(input, init as RequestInit),
          init,
          null
        ),
    },
  })
}

/** Makes a call with its retries. Waits advance the clock instead of blocking. */
async function call(
  dependencies: HostDependencies,
  request: Request,
  init: PortInit,
  authenticator: Authenticator | null
): Promise<Response> {
  const { clock, fake } = dependencies
  const beganAt = clock.milliseconds()
  let isRenewed = false
  let isDoubtful = false
  for (let attempt = 1; ; attempt++) {
    const result = await tryOnce(dependencies, request, init, authenticator)
    if (result instanceof Response && result.status === 401 && !isRenewed) {
      isRenewed = true
      if (authenticator?.renew()) continue
    }
    const failure = failureOf(dependencies, request.method, result)
    const wait =
      failure &&
      retryWaitOf(failure, {
        attempt,
        maxAttempts: MAX_ATTEMPTS,
        isRepeatable: mayRepeat(request.method, init),
        elapsedMs: clock.milliseconds() - beganAt,
        random: () => 0.5,
      })
    const isOver = dependencies.signal.aborted || request.signal.aborted
    if (wait === null || isOver) {
      if (!(result instanceof Response)) throw result
      if (isDoubtful) markInDoubt(result)
      return result
    }
    isDoubtful ||= failure?.outcome === 'unknown'
    clock.advance(wait)
    fake.advance(wait)
  }
}

async function tryOnce(
  dependencies: HostDependencies,
  request: Request,
  init: PortInit,
  authenticator: Authenticator | null
): Promise<Response | ProviderError> {
  const { fake, signal } = dependencies
  const ended = AbortSignal.any([signal, request.signal])
  const sent = request.clone()
  for (const [name, value] of Object.entries((await authenticator?.headers(ended)) ?? {})) {
    sent.headers.set(name, value)
  }
  const failure = (code: ProviderErrorCode, reported: string, isApplied = false) =>
    new ProviderError(code, `${request.method} ${new URL(request.url).host}: ${reported}`, {
      outcome: isRead(request.method) ? 'notApplied' : isApplied ? 'applied' : 'unknown',
    })
  if (ended.aborted) return failure('timeout', 'The caller no longer waits')
  try {
    const response = await unwatched(() => fake.answer(sent))
    const isLong = (await response.clone().arrayBuffer()).byteLength > MAX_RESPONSE_BYTES
    return isLong && !init.download ? failure('protocol', 'The answer is too long', true) : response
  } catch (error) {
    if (error instanceof FakeReset) return failure('unavailable', 'The connection broke')
    if (!(error instanceof FakeHang)) throw error
    if (dependencies.hanging === 'lasting') await endOf(ended)
    else pass(dependencies, init.timeoutMs ?? TIMEOUT_MS)
    return failure('timeout', 'There is no answer')
  }
}

function pass({ clock, fake }: HostDependencies, milliseconds: number): void {
  clock.advance(milliseconds)
  fake.advance(milliseconds)
}

function endOf(signal: AbortSignal): Promise<void> {
  return new Promise((ended) => {
    if (signal.aborted) ended()
    signal.addEventListener('abort', () => ended(), { once: true })
  })
}

/** Returns the failure of a result, for retries; null for a success. */
function failureOf(
  { clock, plugin }: HostDependencies,
  method: string,
  result: Response | ProviderError
): Failure | null {
  if (result instanceof ProviderError) {
    return { code: result.code, outcome: result.detail.outcome, wasConnected: true }
  }
  if (result.status < 400) return null
  const { retryAfterHeaders } = plugin.manifest.rate
  const rate = readRate(result.headers, clock.milliseconds(), retryAfterHeaders)
  return {
    code: codeOfStatus(result.status, rate),
    outcome: isRead(method) || result.status < 500 ? 'notApplied' : 'unknown',
    wasConnected: true,
    retryAfterMs: waitOfRate(rate),
  }
}

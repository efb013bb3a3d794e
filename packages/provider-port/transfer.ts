import type { Readable } from 'node:stream'
import { OutboundTimeout, type ErrorClass } from '../outbound-client/errors.js'
import { OutboundFailure, type OpenResponse } from '../outbound-client/opening.js'
import { codeOfStatus, isRead, outcomeOfStatus } from '../plugin-kit/answer_error.js'
import { ProviderError, type ProviderErrorCode } from '../plugin-kit/provider_error.js'
import type { RatePolicy } from '../plugin-kit/manifest.js'
import { readRate, waitInBody, type RateReading } from '../plugin-kit/rate_reading.js'
import { BodyTooLong, BodyUnreadable, ENCODINGS, limited, readBody } from './bodies.js'
import { CallFailure } from './call_failure.js'
import type { Outgoing, PortResponse, Transport } from './messages.js'

/** Maximum size of a decoded response body in bytes, except for downloads. */
export const MAX_RESPONSE_BYTES = 10 * 1024 * 1024
const MAX_FILE_BYTES = 4 * 1024 ** 3
/** Size in bytes up to which a body is searched for a requested wait. */
const MAX_ERROR_BYTES = 64 * 1024

/** Milliseconds without data after which a download is given up. */
const IDLE_MS = 30_000

const CODES: Readonly<Record<ErrorClass, ProviderErrorCode>> = {
  refused: 'forbidden',
  dns: 'unavailable',
  connectTimeout: 'timeout',
  timeout: 'timeout',
  aborted: 'timeout',
  connection: 'unavailable',
  tls: 'unavailable',
  protocol: 'protocol',
}

/** Headers that only the HTTP client may set. */
const CLIENT_HEADERS = [
  'host',
  'connection',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
]

/**
 * Makes one attempt: sends a request and reads its response, within limits of time and size.
 * @throws CallFailure
 */
export async function transfer(
  transport: Transport,
  outgoing: Outgoing,
  nowMs: () => number
): Promise<PortResponse> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), outgoing.timeoutMs)
  const signal = AbortSignal.any([outgoing.signal, timeout.signal])
  try {
    const opened = await open(transport, outgoing, signal)
    return await readResponse(opened, outgoing, nowMs)
  } finally {
    // Only the headers of a download must arrive in time; its body may take longer.
    clearTimeout(timer)
  }
}

async function open(transport: Transport, outgoing: Outgoing, signal: AbortSignal) {
  const { url, method, body, isDownload } = outgoing
  const headers: Record<string, string> = {}
  outgoing.headers.forEach((value, name) => {
    if (!CLIENT_HEADERS.includes(name)) headers[name] = value
  })
  // Files are requested without compression, so that their hash matches the bytes that were sent.
  headers['accept-encoding'] ??= isDownload ? 'identity' : ENCODINGS
  if (body instanceof Uint8Array) delete headers['content-length']
  try {
    return await transport.open({
      url: url.href,
      method,
      headers,
      ...(body === null ? {} : { body }),
      ...(isDownload ? { idleTimeout: IDLE_MS } : {}),
      signal,
    })
  } catch (error) {
    throw failureOf(error as Error, outgoing)
  }
}

async function readResponse(opened: OpenResponse, outgoing: Outgoing, nowMs: () => number) {
  const { status } = opened
  const headers = headersOf(opened)
  if (status < 200 || status > 599) {
    opened.body.destroy()
    throw unreadable(outgoing, status, `The status is ${status}`)
  }
  const rate = readRate(headers, nowMs(), outgoing.ratePolicy.retryAfterHeaders)
  const isFile = outgoing.isDownload && status < 300
  const body = isFile
    ? limited(
        opened.body,
        MAX_FILE_BYTES,
        (error) => bodyFailure(error, outgoing, status, MAX_FILE_BYTES).error
      )
    : await readWhole(opened.body, headers, status, outgoing)
  if (Buffer.isBuffer(body)) {
    // The caller reads a decoded body.
    headers.delete('content-encoding')
    headers.delete('content-length')
    addWaitFromBody(rate, status, headers, body, outgoing.ratePolicy.pauses)
  }
  const response: PortResponse = { status, headers, body, rate }
  const code = codeOfStatus(status, rate)
  if (status < 500 || code === 'unsupported') return response
  throw new CallFailure(
    new ProviderError(code, `${outgoing.method} ${outgoing.where} answered ${status}`, {
      outcome: outcomeOfStatus(outgoing.method, status),
      status,
    }),
    true,
    'outage',
    response
  )
}

async function readWhole(body: Readable, headers: Headers, status: number, outgoing: Outgoing) {
  const length = headers.get('content-length')
  const encoding = headers.get('content-encoding')
  const sizes = { encoding, length: length === null ? null : Number(length) }
  const hasNoBody = outgoing.method === 'HEAD' || status === 204 || status === 304
  try {
    return await readBody(
      body,
      hasNoBody ? { encoding: null, length: null } : sizes,
      MAX_RESPONSE_BYTES
    )
  } catch (error) {
    throw bodyFailure(error as Error, outgoing, status, MAX_RESPONSE_BYTES)
  }
}

/** Classifies the failure of reading a body. */
function bodyFailure(error: Error, outgoing: Outgoing, status: number, limit: number): CallFailure {
  if (error instanceof BodyTooLong) {
    return unreadable(outgoing, status, `The response is longer than ${limit} bytes`)
  }
  if (error instanceof BodyUnreadable) return unreadable(outgoing, status, error.message)
  return failureOf(error, outgoing, status)
}

function headersOf({ headers }: OpenResponse): Headers {
  const kept = new Headers()
  for (const [name, value] of headers) {
    try {
      kept.append(name, value)
    } catch {
      // Node's parser accepts bytes that WHATWG headers reject; such a header is dropped.
    }
  }
  return kept
}

/** Adds the wait that some providers request in the body. */
function addWaitFromBody(
  rate: RateReading,
  status: number,
  headers: Headers,
  body: Buffer,
  pauses: RatePolicy['pauses']
): void {
  const isRefusal = [403, 429, 503].includes(status)
  // GraphQL refuses with 200, so such bodies are parsed if the plugin declares texts of refusals.
  const mayRefuse = status === 200 && pauses !== undefined && body.includes('"errors"')
  if (!(isRefusal || mayRefuse) || rate.retryAfterMs !== undefined) return
  if (body.length > MAX_ERROR_BYTES) return
  if (!headers.get('content-type')?.includes('json')) return
  try {
    const wait = waitInBody(JSON.parse(body.toString()), pauses)
    if (wait !== undefined) {
      rate.retryAfterMs = wait
      rate.isRefused = true
    }
  } catch {
    // A body that is not JSON asks for no wait.
  }
}

/** Classifies a connection failure, and determines whether the request may have been applied. */
function failureOf(error: Error, outgoing: Outgoing, status?: number): CallFailure {
  const { method, where, signal, timeoutMs } = outgoing
  const wasConnected =
    status !== undefined || !(error instanceof OutboundFailure) || error.wasConnected
  const isAbandoned = signal.aborted
  // The error of a body that ends early has no class.
  const errorClass = error instanceof OutboundFailure ? error.errorClass : classOfBody(error)
  const isLate = errorClass === 'aborted' && !isAbandoned
  const code = CODES[errorClass]
  const reported = isAbandoned
    ? 'The caller no longer waits'
    : isLate
      ? `No complete response within ${timeoutMs} ms`
      : error.message
  const verdict = isAbandoned
    ? 'givenUp'
    : code === 'unavailable' || code === 'timeout'
      ? 'outage'
      : null
  return new CallFailure(
    new ProviderError(code, `${method} ${where}: ${reported}`, {
      outcome: wasConnected ? outcomeOfIncomplete(method, status) : 'notApplied',
      ...(status === undefined ? {} : { status }),
    }),
    wasConnected,
    verdict
  )
}

function classOfBody(error: Error): ErrorClass {
  if (error instanceof OutboundTimeout) return error.kind
  return (error as NodeJS.ErrnoException).code?.startsWith('HPE_') ? 'protocol' : 'connection'
}

/** Returns whether a request without a complete response was applied, as its status shows. */
function outcomeOfIncomplete(method: string, status?: number) {
  if (isRead(method)) return 'notApplied'
  if (status === undefined) return 'unknown'
  return status < 300 ? 'applied' : outcomeOfStatus(method, status)
}

function unreadable({ method, where }: Outgoing, status: number, reported: string): CallFailure {
  return new CallFailure(
    new ProviderError('protocol', `${method} ${where}: ${reported}`, {
      outcome: outcomeOfIncomplete(method, status),
      status,
    }),
    true,
    null
  )
}

import {
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorDetail,
} from './provider_error.js'
import type { DescribedError } from './described_error.js'
import type { RateReading } from './rate_reading.js'

/** Longest wait of a rate limit; a longer one means a used-up quota, and polling pauses. */
const MAX_RATE_LIMIT_MS = 60_000

const BY_STATUS: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'unsupported',
  408: 'timeout',
  409: 'conflict',
  410: 'notFound',
  412: 'preconditionFailed',
  428: 'preconditionFailed',
  501: 'unsupported',
}

/** Returns the error code for an unsuccessful status, given the rate limits in its answer. */
export function codeOfStatus(status: number, rate: RateReading = {}): ProviderErrorCode {
  const isExhausted = rate.remaining === 0
  // GitHub and others refuse with 403 what others refuse with 429.
  const isLimit = status === 429 || (status === 403 && (isExhausted || 'retryAfterMs' in rate))
  if (isLimit) {
    const wait = waitOfRate(rate)
    // A limit without a reset time, such as a rolling hour, counts as a long wait.
    return (wait ?? (isExhausted ? Infinity : 0)) > MAX_RATE_LIMIT_MS
      ? 'quotaExhausted'
      : 'rateLimited'
  }
  if (Object.hasOwn(BY_STATUS, status)) return BY_STATUS[status]
  if (status >= 500) return 'unavailable'
  return status >= 400 ? 'invalid' : 'protocol'
}

/** Returns how long an answer asks callers to wait, in milliseconds. */
export function waitOfRate({ retryAfterMs, remaining, resetMs }: RateReading): number | undefined {
  return retryAfterMs ?? (remaining === 0 ? resetMs : undefined)
}

/** Returns whether a method changes nothing (RFC 9110, section 9.2.1). */
export function isRead(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/**
 * Returns whether a request that got an error was applied: unknown if the server failed, since it
 * may have applied the request first.
 */
export function outcomeOfStatus(method: string, status: number): ProviderErrorDetail['outcome'] {
  if (isRead(method)) return 'notApplied'
  const isUnknown = status >= 500 || status < 300 || status === 303 || status === 408
  return isUnknown ? 'unknown' : 'notApplied'
}

/** Maximum lengths of the kept vendor text, of a reason or action, and of a role, in characters. */
const MAX_VENDOR_TEXT = 1000
const MAX_REASON = 300
const MAX_ROLE = 100

/** An unsuccessful answer, from which an error is made. */
export interface FailedAnswer {
  method: string
  /** Host and path for people, without a secret. */
  where: string
  status: number
  rate: RateReading
  /** The parsed body; undefined if it could not be read. */
  body: unknown
  /** An earlier attempt got no answer, so this error may result from what that attempt did. */
  isInDoubt?: boolean
  /** The meaning of the vendor's error, as the plugin describes it. */
  described?: DescribedError
}

/**
 * Makes the error of an unsuccessful answer.
 * @param redact removes credentials from the vendor's text
 */
export function errorOfAnswer(response: FailedAnswer, redact: (text: string) => string) {
  const { method, where, status, rate, body, described } = response
  const code = described?.code ?? codeOfStatus(status, rate)
  const vendorText = redact(reasonIn(body) ?? '').slice(0, MAX_VENDOR_TEXT)
  const reason = redact(described?.reason ?? vendorText).slice(0, MAX_REASON)
  const action = redact(described?.action ?? '').slice(0, MAX_REASON)
  const retryAfterMs = waitOfRate(rate)
  const vendorCode = vendorCodeIn(body)
  const isReasonReworded = reason !== vendorText && vendorText !== ''
  const answered = (words: string) =>
    `${method} ${where} answered ${status}${words === '' ? '' : `: ${words}`}`
  // People first read the reason and the remedy; the vendor's own text comes last.
  const message = action === '' ? answered(reason) : `${reason} ${action} (${answered(vendorText)})`
  // An error inside a successful answer means that the vendor did nothing.
  const isErrorInSuccess = described !== undefined && status < 300
  const outcome = isErrorInSuccess ? 'notApplied' : outcomeOfStatus(method, status)
  return new ProviderError(code, message, {
    outcome: response.isInDoubt && outcome === 'notApplied' ? 'unknown' : outcome,
    status,
    ...(reason === '' ? {} : { reason }),
    ...(action === '' ? {} : { action }),
    ...(described?.who === undefined ? {} : { who: described.who.slice(0, MAX_ROLE) }),
    ...(isReasonReworded ? { raw: vendorText } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(vendorCode === undefined ? {} : { vendorCode: redact(vendorCode) }),
  })
}

type JsonObject = Record<string, unknown>

/**
 * Returns the objects that may describe the error: the first of `errors`, `error`, the body itself.
 */
function errorsIn(body: unknown): JsonObject[] {
  if (typeof body !== 'object' || body === null) return []
  const { error, errors } = body as { error?: unknown; errors?: unknown }
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  return [first, error, body].filter(
    (each): each is JsonObject => typeof each === 'object' && each !== null
  )
}

function textOf(body: unknown, names: readonly string[]): string | undefined {
  for (const error of errorsIn(body)) {
    for (const name of names) {
      const value = error[name]
      if (typeof value === 'string' && value !== '') return value
    }
  }
  return undefined
}

const reasonIn = (body: unknown) =>
  textOf(body, ['detail', 'message', 'error_description', 'description', 'title', 'error'])

const vendorCodeIn = (body: unknown) => textOf(body, ['code', 'status', 'error'])?.slice(0, 100)

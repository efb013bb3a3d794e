import {
  ProviderError,
  type ProviderErrorCode,
  type ProviderErrorDetail,
} from './provider_error.js'
import type { DescribedError } from './described_error.js'
import type { RateReading } from './rate_reading.js'

/** A longer wait is a quota that is used up: who polls pauses, instead of trying again. */
const QUOTA_MS = 60_000

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

/** Returns the error code of an unsuccessful status, with the rate limits of its answer. */
export function codeOfStatus(status: number, rate: RateReading = {}): ProviderErrorCode {
  const isExhausted = rate.remaining === 0
  // GitHub and others refuse with 403 what others refuse with 429.
  const isLimit = status === 429 || (status === 403 && (isExhausted || 'retryAfterMs' in rate))
  if (isLimit) {
    const wait = waitOfRate(rate)
    // A limit that rolls by the hour names no time.
    return (wait ?? (isExhausted ? Infinity : 0)) > QUOTA_MS ? 'quotaExhausted' : 'rateLimited'
  }
  if (Object.hasOwn(BY_STATUS, status)) return BY_STATUS[status]
  if (status >= 500) return 'unavailable'
  return status >= 400 ? 'invalid' : 'protocol'
}

/** Milliseconds that an answer asks for. */
export function waitOfRate({ retryAfterMs, remaining, resetMs }: RateReading): number | undefined {
  return retryAfterMs ?? (remaining === 0 ? resetMs : undefined)
}

/** Returns whether a method changes nothing (RFC 9110, section 9.2.1). */
export function isRead(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/**
 * Returns whether a request was applied that was answered with an error: a server that failed may
 * have applied it.
 */
export function outcomeOfStatus(method: string, status: number): ProviderErrorDetail['outcome'] {
  if (isRead(method)) return 'notApplied'
  const isOpen = status >= 500 || status < 300 || status === 303 || status === 408
  return isOpen ? 'unknown' : 'notApplied'
}

/** Most characters of what is kept of the vendor's text, and of a sentence about it. */
const LONGEST_SAID = 1000
const LONGEST_REASON = 300

/** An answer as an error is made of it. */
export interface FailedAnswer {
  method: string
  /** Host and path for people, without a secret. */
  where: string
  status: number
  rate: RateReading
  /** As it was read; undefined if it could not be. */
  body: unknown
  /** An attempt before it was not answered: a conflict may be with what that one did. */
  isInDoubt?: boolean
  /** The meaning of the vendor's error, as the plugin describes it. */
  described?: DescribedError
}

/** @param redact takes credentials out of what the vendor says */
export function errorOfAnswer(answer: FailedAnswer, redact: (text: string) => string) {
  const { method, where, status, rate, body, described } = answer
  const code = described?.code ?? codeOfStatus(status, rate)
  const said = redact(reasonIn(body) ?? '').slice(0, LONGEST_SAID)
  const reason = redact(described?.reason ?? said).slice(0, LONGEST_REASON)
  const action = redact(described?.action ?? '').slice(0, LONGEST_REASON)
  const retryAfterMs = waitOfRate(rate)
  const vendorCode = vendorCodeIn(body)
  const isOwn = reason !== said && said !== ''
  const answered = (words: string) =>
    `${method} ${where} answered ${status}${words === '' ? '' : `: ${words}`}`
  // People read what is the case and what to do; what the vendor said comes last.
  const message = action === '' ? answered(reason) : `${reason} ${action} (${answered(said)})`
  // A vendor that explains itself in a success has done nothing.
  const isExplained = described !== undefined && status < 300
  const outcome = isExplained ? 'notApplied' : outcomeOfStatus(method, status)
  return new ProviderError(code, message, {
    outcome: answer.isInDoubt && outcome === 'notApplied' ? 'unknown' : outcome,
    status,
    ...(reason === '' ? {} : { reason }),
    ...(action === '' ? {} : { action }),
    ...(isOwn ? { raw: said } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(vendorCode === undefined ? {} : { vendorCode: redact(vendorCode) }),
  })
}

type Members = Record<string, unknown>

/** The object that an error stands in: the body itself, its `error`, or the first of `errors`. */
function errorIn(body: unknown): Members[] {
  if (typeof body !== 'object' || body === null) return []
  const { error, errors } = body as { error?: unknown; errors?: unknown }
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  return [first, error, body].filter(
    (each): each is Members => typeof each === 'object' && each !== null
  )
}

function textOf(body: unknown, names: readonly string[]): string | undefined {
  for (const members of errorIn(body)) {
    for (const name of names) {
      const value = members[name]
      if (typeof value === 'string' && value !== '') return value
    }
  }
  return undefined
}

const reasonIn = (body: unknown) =>
  textOf(body, ['detail', 'message', 'error_description', 'description', 'title', 'error'])

const vendorCodeIn = (body: unknown) => textOf(body, ['code', 'status', 'error'])?.slice(0, 100)

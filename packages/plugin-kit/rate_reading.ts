import type { RatePolicy } from './manifest.js'

/** The provider's limits, as an answer states them. */
export interface RateReading {
  /** Milliseconds that the provider asks callers to wait. */
  retryAfterMs?: number
  /** The body asks for that wait, possibly in a successful answer. */
  isRefused?: boolean
  /** Requests that remain of the scarcest limit, its size, and the milliseconds until it resets. */
  remaining?: number
  limit?: number
  resetMs?: number
}

/** The longest wait that is believed. */
const MAX_MS = 24 * 3_600_000

const HEADERS_IN_MS = ['retry-after-ms', 'x-retry-after-ms']
const HEADERS = ['retry-after', 'x-retry-after']

/** `x-ratelimit-remaining`, `ratelimit-reset`, `x-sentry-rate-limit-limit`, `x-ratelimit-requests-reset`. */
const COUNTER = /^(.*rate-?limit(?:-[a-z]+)*?)-(remaining|reset|limit)$/
/** Longer header names are ignored. */
const MAX_NAME_LENGTH = 100
/** Apple: `user-hour-lim:3500;user-hour-rem:500;`. */
const APPLE = /(?<![\w-])([\w-]{1,100})-lim:(\d+);\s*\1-rem:(\d+)/
/** IETF drafts: `"default";r=50;t=30` and `limit=100, remaining=50, reset=5`. */
const DRAFT = /(?:^|[;,\s])(?:r|remaining)=(\d+)/
const DRAFT_RESET = /(?:^|[;,\s])(?:t|reset)=(\d+)/

interface Counter {
  remaining?: number
  limit?: number
  resetMs?: number
}

/**
 * Reads `Retry-After` and rate limits, in the spellings of all known vendors.
 * @param own further headers of one provider, as its manifest names them
 */
export function readRate(
  headers: Headers,
  nowMs: number,
  own: readonly string[] = []
): RateReading {
  const counters = countersOf(headers, nowMs)
  const scarcest = [...counters.values()]
    .filter(({ remaining }) => remaining !== undefined)
    .sort((one, other) => one.remaining! - other.remaining!)
    .at(0)
  const reading: RateReading = { ...scarcest }
  const retryAfterMs = retryAfter(headers, nowMs, own)
  if (retryAfterMs !== undefined) reading.retryAfterMs = retryAfterMs
  return reading
}

function retryAfter(headers: Headers, nowMs: number, own: readonly string[]): number | undefined {
  const waits = [...own, ...HEADERS_IN_MS, ...HEADERS].flatMap((name) => {
    const value = headers.get(name)
    if (value === null) return []
    const wait = /-ms$/i.test(name) ? bounded(Number.parseFloat(value)) : waitOf(value, nowMs)
    return wait ?? []
  })
  return waits.length > 0 ? Math.max(...waits) : undefined
}

/**
 * Returns the wait that a value means, in milliseconds from now. It is a number of seconds, a time
 * in seconds or milliseconds since the epoch (told apart by size), a duration with a unit, or a
 * date.
 */
export function waitOf(text: string, nowMs: number): number | undefined {
  const value = text.trim()
  if (/^\d+(\.\d+)?$/.test(value)) {
    const number = Number(value)
    if (number > 1e12) return bounded(number - nowMs)
    return bounded(number > 1e9 ? number * 1000 - nowMs : number * 1000)
  }
  const [, span, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value) ?? []
  if (unit) return bounded(Number(span) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit]!)
  // An HTTP or ISO 8601 date begins with a weekday or a year; Date.parse accepts much more.
  return /^([A-Z][a-z]{2}|\d{4}-)/.test(value) ? bounded(Date.parse(value) - nowMs) : undefined
}

function bounded(milliseconds: number): number | undefined {
  if (Number.isNaN(milliseconds)) return undefined
  return Math.ceil(Math.min(Math.max(milliseconds, 0), MAX_MS))
}

function countersOf(headers: Headers, nowMs: number): Map<string, Counter> {
  const counters = new Map<string, Counter>()
  const add = (name: string, more: Counter) =>
    counters.set(name, { ...counters.get(name), ...more })
  headers.forEach((value, name) => {
    if (name.length > MAX_NAME_LENGTH) return
    const [, group, what] = COUNTER.exec(name) ?? []
    if (what === 'reset') add(group, { resetMs: waitOf(value, nowMs) })
    else if (what && /^\d+/.test(value)) add(group, { [what]: Number.parseInt(value, 10) })
    else if (/^x-rate-?limit$/.test(name)) {
      const [, , limit, remaining] = APPLE.exec(value) ?? []
      if (limit) add(name, { limit: Number(limit), remaining: Number(remaining) })
    } else if (name === 'ratelimit') {
      const [remaining, reset] = [DRAFT.exec(value)?.[1], DRAFT_RESET.exec(value)?.[1]]
      if (remaining) add(name, { remaining: Number(remaining) })
      if (reset) add(name, { resetMs: waitOf(reset, nowMs) })
    }
  })
  // One reset may apply to several limits: `x-ratelimit-reset` beside
  // `x-ratelimit-global-remaining`.
  for (const [group, counter] of counters) {
    if (counter.resetMs !== undefined || counter.remaining === undefined) continue
    const wider = [...counters].find(
      ([name, { resetMs }]) => resetMs !== undefined && group.startsWith(`${name}-`)
    )
    if (wider) counter.resetMs = wider[1].resetMs
  }
  return counters
}

/**
 * Returns the wait that an error body asks for, in milliseconds: Google's `google.rpc.RetryInfo`,
 * or one that its text implies.
 * @param pauses texts of one provider that ask for a pause, as its manifest names them
 */
export function waitInBody(body: unknown, pauses: RatePolicy['pauses'] = []): number | undefined {
  const { message, errors } = (body ?? {}) as { message?: unknown; errors?: unknown }
  // GraphQL puts errors there, in answers with status 200; JSON:API errors have a code and a
  // detail.
  const [first] = (Array.isArray(errors) ? errors : []) as (Record<string, unknown> | null)[]
  const parts = [message ?? first?.message, first?.code, first?.detail]
  const text = parts
    .filter((each) => typeof each === 'string')
    .join('\n')
    .toLowerCase()
  const pause = pauses.find(({ says }) => text.includes(says.toLowerCase()))
  if (pause) return pause.seconds * 1000
  const details = (body as { error?: { details?: unknown } } | null)?.error?.details
  if (!Array.isArray(details)) return undefined
  const delay: unknown = details.find((each) => typeof each?.retryDelay === 'string')?.retryDelay
  return typeof delay === 'string' ? waitOf(delay, 0) : undefined
}

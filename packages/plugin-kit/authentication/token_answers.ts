import { codeOfStatus, waitOfRate } from '../answer_error.js'
import { ProviderError } from '../provider_error.js'
import { readRate } from '../rate_reading.js'
import type { AuthenticationDoor } from '../port/door.js'
import { brokenToken, refusedToken } from './refusals.js'
import { wrongClock } from '../wrong_clock.js'
import type { Token } from './token_cache.js'

/**
 * Lifetime in seconds that is assumed if an answer names none, and the longest that is believed.
 */
const USUAL_SECONDS = 3600
const MAX_SECONDS = 30 * 24 * 3600

/** The properties of a token endpoint that explain its refusals. */
interface TokenEndpoint {
  /** The request was signed, so a wrong clock can be the reason for its refusal. */
  isSigned?: boolean
  /** Explains refusals of an endpoint that is part of the vendor's API. */
  describe?: AuthenticationDoor['describeError']
}

/**
 * Returns the JSON of a token endpoint's answer.
 * @throws ProviderError: `unauthorized` when the credentials are refused
 */
export async function readTokenAnswer(
  response: Response,
  nowMs: number,
  { isSigned = false, describe }: TokenEndpoint = {}
): Promise<unknown> {
  const text = await response.text()
  if (response.ok) return parsed(text)
  const { status, headers } = response
  const rate = readRate(headers, nowMs)
  const retryAfterMs = waitOfRate(rate)
  const code = codeOfStatus(status, rate)
  // OAuth endpoints refuse with 400, GitHub's with 404 for a deleted installation.
  if (['invalid', 'unauthorized', 'forbidden', 'notFound'].includes(code)) {
    const message = `The provider gives no token (${status})`
    const clock = isSigned ? wrongClock(headers, nowMs) : null
    const known = await describe?.(status, parsed(text), headers)
    // Only the plugin's own sentences are shown: the vendor's may quote the credentials.
    const described = clock ? { code: 'unauthorized' as const, ...clock } : known
    if (described?.action === undefined) throw refusedToken(message, errorIn(text))
    const { reason, action } = described
    throw new ProviderError(described.code, `${reason} ${action} (${message})`, {
      outcome: 'notApplied',
      reason: errorIn(text) ?? reason,
      action,
    })
  }
  throw new ProviderError(code, `The provider gives no token (${status})`, {
    outcome: 'notApplied',
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

/** Makes a token with its expiry time from the lifetime in seconds that an endpoint reported. */
export function tokenOf(value: unknown, seconds: unknown, nowMs: number): Token {
  if (typeof value !== 'string' || value === '' || !/^[\x21-\x7e]+$/.test(value)) {
    throw brokenToken('The provider answered without a token')
  }
  const reported = typeof seconds === 'string' ? Number(seconds) : seconds
  const isReported = typeof reported === 'number' && Number.isFinite(reported)
  const lifetime = isReported ? Math.min(Math.max(reported, 0), MAX_SECONDS) : USUAL_SECONDS
  return { value, gotAt: nowMs, expiresAt: nowMs + lifetime * 1000 }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns OAuth's error code; never a sentence, which may quote the credentials. */
export function errorIn(text: string): string | undefined {
  const { error } = (parsed(text) ?? {}) as { error?: unknown }
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined
}

import { codeOfStatus, waitOfRate } from '../answer_error.js'
import { ProviderError } from '../provider_error.js'
import { readRate } from '../rate_reading.js'
import type { AuthenticationDoor } from '../port/door.js'
import { brokenToken, refusedToken } from './refusals.js'
import { wrongClock } from '../wrong_clock.js'
import type { Token } from './token_cache.js'

/** Assumed lifetime, in seconds, if an answer names none or exaggerates. */
const USUAL_SECONDS = 3600
const LONGEST_SECONDS = 30 * 24 * 3600

/** The properties of a token endpoint that explain its refusals. */
interface TokenEndpoint {
  /** The request was signed, so that a wrong clock has it refused. */
  isSigned?: boolean
  /** Explains refusals of an endpoint that is part of the vendor's API. */
  describe?: AuthenticationDoor['describeError']
}

/**
 * The JSON of a token endpoint's answer.
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
  // Endpoints of OAuth refuse with 400, those of GitHub with 404 for an installation that is gone.
  if (['invalid', 'unauthorized', 'forbidden', 'notFound'].includes(code)) {
    const message = `The provider gives no token (${status})`
    const clock = isSigned ? wrongClock(headers, nowMs) : null
    const known = await describe?.(status, parsed(text), headers)
    // Only the plugin's own sentences are shown: the vendor's may quote what was sent.
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

/** A token with its times, of what an endpoint said of its life in seconds. */
export function tokenOf(value: unknown, seconds: unknown, nowMs: number): Token {
  if (typeof value !== 'string' || value === '' || !/^[\x21-\x7e]+$/.test(value)) {
    throw brokenToken('The provider answered without a token')
  }
  const given = typeof seconds === 'string' ? Number(seconds) : seconds
  const isReported = typeof given === 'number' && Number.isFinite(given)
  const life = isReported ? Math.min(Math.max(given, 0), LONGEST_SECONDS) : USUAL_SECONDS
  return { value, gotAt: nowMs, expiresAt: nowMs + life * 1000 }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The word of OAuth for what went wrong; never a sentence, which may quote what was sent. */
export function errorIn(text: string): string | undefined {
  const { error } = (parsed(text) ?? {}) as { error?: unknown }
  return typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined
}

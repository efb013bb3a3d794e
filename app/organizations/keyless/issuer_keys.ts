import app from '@adonisjs/core/services/app'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose'
import { MINUTE, SECOND } from '#foundation/core/durations'
import { refuse } from '#foundation/core/problems/problem'
import { clock } from '#foundation/core/services'

/** The time for which the keys of an issuer are cached, in milliseconds. */
const CACHED_MS = 10 * MINUTE

/** The minimum time in milliseconds between requests after a failure or an unknown key. */
const MIN_INTERVAL_MS = 30 * SECOND

/** The maximum number of issuers in the cache. */
const MAX_ISSUERS = 100

/** Limits of an issuer's response: size in bytes, and time in milliseconds. */
const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 5 * SECOND

interface CachedKeys {
  readAt: number
  /** When the keys, or the failure to read them, become stale. */
  expiresAt: number
  keys: Promise<JSONWebKeySet>
}

/** Keys by issuer, the most recently requested last. */
const cache = new Map<string, CachedKeys>()

/**
 * Returns a function that finds the key of a token among the keys of its issuer. An unknown key id
 * refreshes the keys, at most twice a minute.
 * @throws issuer_unreachable
 */
export const keysOf = (issuer: string): JWTVerifyGetKey =>
  async function find(header, token) {
    const { keys, readAt } = cachedKeys(issuer, CACHED_MS)
    const known = await keys
    const isKnown = known.keys.some(({ kid }) => kid === header.kid)
    const mayRefresh = clock.milliseconds() - readAt >= MIN_INTERVAL_MS
    const fresh = isKnown || !mayRefresh ? known : await cachedKeys(issuer, MIN_INTERVAL_MS).keys
    try {
      return await createLocalJWKSet(fresh)(header, token)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw error
      throw unreachable(issuer, 'The key of the token cannot be used.')
    }
  }

function cachedKeys(issuer: string, maxAge: number): CachedKeys {
  const now = clock.milliseconds()
  const cached = cache.get(issuer)
  const valid = cached && now < cached.expiresAt ? cached : null
  if (valid && now - valid.readAt < maxAge) return valid
  const fresh: CachedKeys = {
    readAt: now,
    expiresAt: now + CACHED_MS,
    keys: readKeys(issuer).catch((error: unknown) => {
      fresh.expiresAt = valid?.expiresAt ?? now + MIN_INTERVAL_MS
      if (valid) return valid.keys
      throw error
    }),
  }
  cache.delete(issuer)
  cache.set(issuer, fresh)
  if (cache.size > MAX_ISSUERS) cache.delete(cache.keys().next().value!)
  return fresh
}

/** Discovers and reads the keys of an issuer, which must be at its own origin. */
async function readKeys(issuer: string): Promise<JSONWebKeySet> {
  const configuration = await readJson(
    issuer,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  )
  const { issuer: named, jwks_uri: address } = configuration
  if (named !== issuer) throw unreachable(issuer, 'Its configuration names another issuer.')
  const isOwn =
    typeof address === 'string' &&
    URL.canParse(address) &&
    new URL(address).origin === new URL(issuer).origin
  if (!isOwn) throw unreachable(issuer, 'Its keys are not at its own origin.')
  const { keys } = await readJson(issuer, address)
  if (!Array.isArray(keys)) throw unreachable(issuer, 'It has no keys.')
  // Symmetric keys and encryption keys verify no signature.
  return {
    keys: (keys as unknown[])
      .filter((key): key is JWK => typeof key === 'object' && key !== null)
      .filter(({ kty, use }) => kty !== 'oct' && use !== 'enc'),
  }
}

async function readJson(issuer: string, url: string): Promise<Record<string, unknown>> {
  const outbound = await app.container.make('outbound')
  const response = await outbound.request({
    url,
    maxBytes: MAX_BYTES,
    timeout: TIMEOUT_MS,
    headers: { accept: 'application/json' },
  })
  if (response.errorClass !== null) throw unreachable(issuer, response.errorMessage ?? '')
  if (response.status !== 200) throw unreachable(issuer, `It responded with ${response.status}.`)
  if (response.truncated) throw unreachable(issuer, 'Its response is too long.')
  try {
    const read: unknown = JSON.parse(response.body.toString())
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw unreachable(issuer, 'Its response is not JSON.')
}

const unreachable = (issuer: string, why: string) =>
  refuse('issuer_unreachable', { detail: `The keys of ${issuer} could not be read. ${why}`.trim() })

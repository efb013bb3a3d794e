import app from '@adonisjs/core/services/app'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose'
import { MINUTE, SECOND } from '#foundation/core/durations'
import { refuse } from '#foundation/core/problems/problem'
import { clock } from '#foundation/core/services'

/** The time for which the keys of an issuer are cached, in milliseconds. */
const CACHED_MS = 10 * MINUTE

/** The minimum time before an issuer is asked again after a failure or an unknown key. */
const RETRY_AFTER_MS = 30 * SECOND

/** The maximum number of issuers in the cache. */
const MAX_ISSUERS = 100

/** Limits of an answer of an issuer: its size in bytes, and its time in milliseconds. */
const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 5 * SECOND

interface CachedKeys {
  at: number
  /** The time until which the keys, or the failure to read them, are valid. */
  until: number
  keys: Promise<JSONWebKeySet>
}

/** Keys by issuer; the issuer that was asked last is at the end. */
const cache = new Map<string, CachedKeys>()

/**
 * Returns a function that finds the key of a token among the keys of its issuer. An unknown key has
 * the issuer asked again, at most twice a minute.
 * @throws issuer_unreachable
 */
export const keysOf = (issuer: string): JWTVerifyGetKey =>
  async function find(header, token) {
    const { keys, at } = cachedKeys(issuer, CACHED_MS)
    const known = await keys
    const isKnown = known.keys.some(({ kid }) => kid === header.kid)
    const mayAskAgain = clock.milliseconds() - at >= RETRY_AFTER_MS
    const fresh = isKnown || !mayAskAgain ? known : await cachedKeys(issuer, RETRY_AFTER_MS).keys
    try {
      return await createLocalJWKSet(fresh)(header, token)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw error
      throw unreachable(issuer, 'Its key for the token is not usable.')
    }
  }

function cachedKeys(issuer: string, maxAge: number): CachedKeys {
  const now = clock.milliseconds()
  const found = cache.get(issuer)
  const former = found && now < found.until ? found : null
  if (former && now - former.at < maxAge) return former
  const made: CachedKeys = {
    at: now,
    until: now + CACHED_MS,
    keys: readKeys(issuer).catch((error: unknown) => {
      made.until = former?.until ?? now + RETRY_AFTER_MS
      if (former) return former.keys
      throw error
    }),
  }
  cache.delete(issuer)
  cache.set(issuer, made)
  if (cache.size > MAX_ISSUERS) cache.delete(cache.keys().next().value!)
  return made
}

/** Reads the configuration of an issuer, and its keys, which have to be at the same origin. */
async function readKeys(issuer: string): Promise<JSONWebKeySet> {
  const about = await readJson(
    issuer,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  )
  const { issuer: named, jwks_uri: address } = about
  if (named !== issuer) throw unreachable(issuer, 'Its configuration names another issuer.')
  const isOwn =
    typeof address === 'string' &&
    URL.canParse(address) &&
    new URL(address).origin === new URL(issuer).origin
  if (!isOwn) throw unreachable(issuer, 'Its keys are not at its own address.')
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
  if (response.status !== 200) throw unreachable(issuer, `It answered ${response.status}.`)
  if (response.truncated) throw unreachable(issuer, 'Its answer is too long to be read.')
  try {
    const read: unknown = JSON.parse(response.body.toString())
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw unreachable(issuer, 'Its answer is not JSON.')
}

const unreachable = (issuer: string, why: string) =>
  refuse('issuer_unreachable', { detail: `The keys of ${issuer} could not be read. ${why}`.trim() })

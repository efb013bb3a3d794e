import type { Permits } from '../http.js'
import { CREDENTIALS_OF, type AuthScheme, type PluginManifest } from '../manifest.js'
import type { AuthenticationDoor, Authenticator, Credentials, PortClock } from '../port/door.js'
import { refusedToken } from './refusals.js'
import {
  githubAppToken,
  googleToken,
  jwtToken,
  refreshPair,
  textOf,
  twoStepToken,
  type TokenPair,
} from './strategies.js'
import { isFresh, type Token, type TokenCache } from './token_cache.js'

/** The token pair of an OAuth connection. Only one caller renews it at a time. */
export interface TokenPairs {
  /**
   * Returns a fresh pair: the stored one, or a renewed one, which is stored before it is returned.
   * @param renew requests a new pair from the provider with the latest refresh token
   */
  get(
    isUsable: (pair: TokenPair) => boolean,
    renew: (refreshToken: string) => Promise<TokenPair>
  ): Promise<TokenPair>
}

export interface AuthenticatorDependencies {
  manifest: PluginManifest
  credentials: Credentials
  door: AuthenticationDoor
  clock: PortClock
  cache: TokenCache
  pairs: TokenPairs
  /** Cache key of tokens: one connection and one version of its credentials. */
  key: string
}

/** Returns the first scheme that the credentials satisfy; null if none is needed. */
export function schemeFor(manifest: PluginManifest, credentials: Credentials): AuthScheme | null {
  const has = (names: readonly string[]) => names.every((name) => textOf(credentials, name) !== '')
  const matching = manifest.auth.find(({ scheme }) => {
    const { required, instead } = CREDENTIALS_OF[scheme]
    return has(required) || (instead !== undefined && has(instead))
  })
  if (matching) return matching.scheme === 'none' ? null : matching
  throw refusedToken(`The credentials fit none of the ways to authenticate with ${manifest.name}`)
}

/** Returns an OAuth access token that has no refresh token; null for anything else. */
function permanentToken({ scheme }: AuthScheme, credentials: Credentials): string | null {
  if (scheme !== 'oauth2' || textOf(credentials, 'refreshToken') !== '') return null
  return textOf(credentials, 'accessToken')
}

/** Schemes that send a token, which is signed here or obtained from the provider. */
type TokenScheme = Exclude<AuthScheme, { scheme: 'none' | 'header' | 'basic' }>

/** Authenticates the requests of one connection. With invalid credentials, each call fails. */
export class ConnectionAuthenticator implements Authenticator {
  #last: Token | null = null
  #refused: string | null = null

  constructor(private readonly dependencies: AuthenticatorDependencies) {}

  async headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const { manifest, credentials, door, cache, clock, key } = this.dependencies
    const scheme = schemeFor(manifest, credentials)
    if (scheme === null || scheme.scheme === 'none') return {}
    if (scheme.scheme === 'header') {
      return { [scheme.header]: `${scheme.prefix ?? ''}${textOf(credentials, 'token')}` }
    }
    if (scheme.scheme === 'basic') {
      const pair = `${textOf(credentials, 'username')}:${textOf(credentials, 'password')}`
      const encoded = Buffer.from(pair).toString('base64')
      door.learn(encoded)
      return { authorization: `Basic ${encoded}` }
    }
    const permanent = permanentToken(scheme, credentials)
    if (permanent !== null) return { authorization: `Bearer ${permanent}` }
    const obtaining = cache.get(key, clock.milliseconds(), () => this.#obtain(scheme))
    const token = await untilAborted(signal, obtaining)
    door.learn(token.value)
    this.#last = token
    return { authorization: `Bearer ${token.value}` }
  }

  async permits(signal: AbortSignal): Promise<Permits | null> {
    await this.headers(signal)
    return this.#last?.permits ?? null
  }

  renew(): boolean {
    const { cache, key, manifest, credentials } = this.dependencies
    // The provider refuses a self-signed token because of its key, so a new one does not help.
    if (!this.#last || schemeFor(manifest, credentials)?.scheme === 'jwt') return false
    this.#refused = this.#last.value
    cache.forget(key, this.#last.value)
    return true
  }

  #obtain(scheme: TokenScheme): Promise<Token> {
    const { credentials, door, clock } = this.dependencies
    const input = { credentials, door, clock }
    switch (scheme.scheme) {
      case 'jwt':
        return jwtToken({ scheme, ...input })
      case 'googleServiceAccount':
        return googleToken({ scheme, ...input })
      case 'githubApp':
        return githubAppToken({ scheme, ...input })
      case 'twoStep':
        return twoStepToken({ scheme, ...input })
      case 'oauth2':
        return this.#obtainPair(scheme)
    }
  }

  async #obtainPair(scheme: Extract<AuthScheme, { scheme: 'oauth2' }>): Promise<Token> {
    const { credentials, door, clock, pairs } = this.dependencies
    const isUsable = ({ access }: TokenPair) =>
      isFresh(access, clock.milliseconds()) && access.value !== this.#refused
    const { access } = await pairs.get(isUsable, async (refreshToken) => {
      const pair = await refreshPair({ scheme, credentials, door, clock }, refreshToken)
      door.learn(pair.refreshToken, pair.access.value)
      return pair
    })
    return access
  }
}

/**
 * Waits for a shared promise until the signal aborts. An abort ends only this wait, because other
 * callers may wait for the same token.
 */
async function untilAborted<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  signal.throwIfAborted()
  let abort!: () => void
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
    promise.catch(() => {})
  }
}

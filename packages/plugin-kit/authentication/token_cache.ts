import type { Permits } from '../http.js'

/** A token that a provider issued or that was signed here. */
export interface Token {
  value: string
  /** Milliseconds since the epoch. */
  gotAt: number
  expiresAt: number
  /** The permissions that the provider stated with it; absent if it stated none. */
  permits?: Permits
}

/** A token is renewed this long before it expires, or after four fifths of a short lifetime. */
const MARGIN_MS = 60_000
const SHARE = 0.2

const MAX_KEPT = 10_000

/** Returns whether a token is still valid for a call. */
export function isFresh({ gotAt, expiresAt }: Omit<Token, 'value'>, nowMs: number): boolean {
  return nowMs < expiresAt - Math.min(MARGIN_MS, SHARE * (expiresAt - gotAt))
}

/**
 * Short-lived tokens of this process, by connection and version of its credentials. Concurrent
 * callers share one pending request per key.
 */
export class TokenCache {
  readonly #tokens = new Map<string, Token>()
  readonly #pending = new Map<string, Promise<Token>>()

  async get(key: string, nowMs: number, obtain: () => Promise<Token>): Promise<Token> {
    const known = this.#tokens.get(key)
    if (known && isFresh(known, nowMs)) return known
    let pending = this.#pending.get(key)
    if (!pending) {
      pending = obtain()
        .then((token) => this.#keep(key, token))
        .finally(() => this.#pending.delete(key))
      this.#pending.set(key, pending)
    }
    return pending
  }

  /** Forgets a refused token; a newer one stays. */
  forget(key: string, value: string): void {
    if (this.#tokens.get(key)?.value === value) this.#tokens.delete(key)
  }

  #keep(key: string, token: Token): Token {
    this.#tokens.delete(key)
    this.#tokens.set(key, token)
    if (this.#tokens.size > MAX_KEPT) this.#tokens.delete(this.#tokens.keys().next().value!)
    return token
  }
}

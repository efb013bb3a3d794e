import type { TokenPairs } from './authenticators.js'
import type { TokenPair } from './strategies.js'

/**
 * The token pair of credentials that are tried before they are stored; it is kept in memory alone.
 */
export class ScratchPairs implements TokenPairs {
  #pair: TokenPair | null = null

  constructor(private readonly refreshToken: string) {}

  async get(isGood: (pair: TokenPair) => boolean, renew: (token: string) => Promise<TokenPair>) {
    if (this.#pair && isGood(this.#pair)) return this.#pair
    this.#pair = await renew(this.#pair?.refreshToken ?? this.refreshToken)
    return this.#pair
  }

  /** The refresh token that is valid now: trying the credentials may have used up the first one. */
  get current(): string {
    return this.#pair?.refreshToken ?? this.refreshToken
  }
}

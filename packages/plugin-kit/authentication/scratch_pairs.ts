import type { TokenPairs } from './authenticators.js'
import type { TokenPair } from './strategies.js'

/** Pairs of credentials that are tried before they are stored, and of nothing else. */
export class ScratchPairs implements TokenPairs {
  #pair: TokenPair | null = null

  constructor(private readonly refreshToken: string) {}

  async get(isGood: (pair: TokenPair) => boolean, renew: (token: string) => Promise<TokenPair>) {
    if (this.#pair && isGood(this.#pair)) return this.#pair
    this.#pair = await renew(this.#pair?.refreshToken ?? this.refreshToken)
    return this.#pair
  }

  /** The refresh token that is good now: trying credentials may have used up the one given. */
  get current(): string {
    return this.#pair?.refreshToken ?? this.refreshToken
  }
}

import type { ProviderError } from '../plugin-kit/provider_error.js'
import type { Verdict } from './breaker.js'
import type { PortResponse } from './messages.js'

/** A failed attempt, with the facts that retries and the breaker need. */
export class CallFailure extends Error {
  /**
   * @param error the error for the plugin if there is no further attempt
   * @param wasConnected whether the host may have seen the request
   * @param answer the answer of a failing server, which `fetch` returns after the last attempt
   */
  constructor(
    readonly error: ProviderError,
    readonly wasConnected: boolean,
    readonly verdict: Verdict,
    readonly answer: PortResponse | null = null
  ) {
    super(error.message)
  }
}

import type { ProviderError } from '../plugin-kit/provider_error.js'
import type { Verdict } from './breaker.js'
import type { PortAnswer } from './messages.js'

/** An attempt that went wrong, with what retries and the breaker need to know of it. */
export class CallFailure extends Error {
  /**
   * @param error the error of the plugin when nothing more is tried
   * @param wasConnected whether the host may have seen the request
   * @param answer that of a server which failed: a `fetch` answers it in the end
   */
  constructor(
    readonly error: ProviderError,
    readonly wasConnected: boolean,
    readonly verdict: Verdict,
    readonly answer: PortAnswer | null = null
  ) {
    super(error.message)
  }
}

import type { ProviderErrorCode, ProviderErrorDetail } from '../plugin-kit/provider_error.js'

/**
 * `closed`: the host is called; `open`: not called for a while after failures; `halfOpen`: probed
 * with one call.
 */
export type BreakerState = 'closed' | 'open' | 'halfOpen'

/** One attempt of a call, without query, body, headers and secrets. */
export interface RecordedCall {
  calledAt: string
  method: string
  host: string
  path: string
  status: number | null
  milliseconds: number
  attempt: number
  /** Calls that the budget still allows; null if no budget was asked. */
  remaining: number | null
  outcome: ProviderErrorDetail['outcome']
  code: ProviderErrorCode | null
}

/** The health of a host after a call. */
export interface RecordedHealth {
  host: string
  state: BreakerState
  /** When it last failed; null after a success. */
  failedAt: string | null
  failure: ProviderErrorCode | null
  /** Time until which the host is not called; null while it is called. */
  openUntil: string | null
}

/** Records the calls of one connection. */
export interface CallRecorder {
  add(call: RecordedCall): void
  report(health: RecordedHealth): void
}

import type { ProviderErrorCode, ProviderErrorDetail } from '../plugin-kit/provider_error.js'

/** A host is called; not called for a while after failures; or tried with one call. */
export type BreakerState = 'closed' | 'open' | 'halfOpen'

/** One attempt at a call: no query, body, header or secret. */
export interface RecordedCall {
  calledAt: string
  method: string
  host: string
  path: string
  status: number | null
  milliseconds: number
  attempt: number
  /** Calls that the budget still allows; null if none counts. */
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
  /** Until when it is not called; null for a host that is called. */
  openUntil: string | null
}

/** Records the calls of one connection. */
export interface CallRecorder {
  add(call: RecordedCall): void
  report(health: RecordedHealth): void
}

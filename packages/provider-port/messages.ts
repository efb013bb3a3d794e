import type { OutboundClient } from '../outbound-client/client.js'
import type { RatePolicy } from '../plugin-kit/manifest.js'
import type { RateReading } from '../plugin-kit/rate_reading.js'

/** The client that reaches the network: the guarded one, or a replacement in tests. */
export type Transport = Pick<OutboundClient, 'open' | 'addressesOf'>

/** An outgoing request. */
export interface Outgoing {
  url: URL
  method: string
  headers: Headers
  body: Uint8Array | AsyncIterable<Uint8Array> | null
  isDownload: boolean
  timeoutMs: number
  /** Aborts when the caller no longer waits. */
  signal: AbortSignal
  /** Host and path for people, without a secret. */
  where: string
  /** The provider's ways to ask for a later retry. */
  ratePolicy: Pick<RatePolicy, 'retryAfterHeaders' | 'pauses'>
}

export interface PortResponse {
  status: number
  headers: Headers
  body: Buffer | ReadableStream<Uint8Array>
  rate: RateReading
  /** An earlier attempt may have been applied. */
  isInDoubt?: boolean
}

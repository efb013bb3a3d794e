import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import type { Clock, Instant } from '#foundation/core/clock'
import type { OutboundClient } from '#outbound-client/client'
import type { OutboundResult } from '#outbound-client/exchange'
import { readClient } from '#foundation/core/database/connections'
import type { SecretBox } from '#foundation/core/secret_box'
import type { Claimed } from '#webhooks/delivery/claim_deliveries'
import { liveKeys, type EndpointKey } from '#webhooks/keys'
import { sealOwner } from '#webhooks/rows'
import { SENT_HEADERS } from '#webhooks/vocabulary'
import { signatureHeaders } from '#webhooks/signing'

/** The answer header by which a receiver can ask for its endpoint to be disabled. */
export const DISABLE_HEADER = 'webhook-delivery'

const KEPT_HEADERS = [
  'content-type',
  'content-length',
  'date',
  'location',
  'retry-after',
  'server',
  DISABLE_HEADER,
]

/** An attempt that was sent, with its result. */
export interface Sent {
  kind: 'sent'
  startedAt: Instant
  /** Without its query, which may hold a token. */
  url: string
  headerNames: string[]
  result: OutboundResult
}

/** The outcome of an attempt. */
export type AttemptOutcome =
  | Sent
  /** Aborted by the service: it says nothing about the receiver, and is repeated. */
  | { kind: 'abandoned' }
  /** The secrets cannot be decrypted, so nothing can be signed. */
  | { kind: 'secretUnreadable' }
  /** The payload is past its retention. */
  | { kind: 'payloadGone' }

/** Hides the content of the query. */
const withoutQuery = (url: string) => url.replace(/\?.+/s, '?…')

/** Signs a claimed delivery with the current keys, and sends its stored bytes unchanged. */
export class MakeAttempt {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbound: OutboundClient,
    private readonly secrets: SecretBox
  ) {}

  async handle({ delivery, endpoint }: Claimed, signal?: AbortSignal): Promise<AttemptOutcome> {
    const owner = sealOwner(endpoint)
    const keys = this.secrets.open<EndpointKey[]>(owner, endpoint.sealed_keys)
    const headers = this.secrets.open<Record<string, string>>(owner, endpoint.sealed_headers)
    if (!keys || !headers) return { kind: 'secretUnreadable' }
    const payload = delivery.payload ?? (await this.#payloadOf(delivery.event_id))
    if (payload === null) return { kind: 'payloadGone' }

    const startedAt = this.clock.now()
    const body = Buffer.from(payload)
    const live = liveKeys(keys, startedAt).map(({ key }) => key)
    const message = { id: delivery.event_id, attemptedAt: Date.parse(startedAt), body }
    const result = await this.outbound.request({
      url: endpoint.url,
      method: 'POST',
      headers: {
        ...headers,
        ...SENT_HEADERS,
        ...signatureHeaders(message, live),
      },
      body,
      timeout: endpoint.timeout_seconds * 1000,
      keepHeaders: KEPT_HEADERS,
      signal,
    })
    if (result.errorClass === 'aborted') return { kind: 'abandoned' }
    const headerNames = Object.keys(headers).toSorted()
    return { kind: 'sent', startedAt, url: withoutQuery(endpoint.url), headerNames, result }
  }

  async #payloadOf(eventId: string): Promise<string | null> {
    const events = from(readClient(this.database), 'events').where('id', eventId)
    const event = await events.select('payload').first()
    return event?.payload ?? null
  }
}

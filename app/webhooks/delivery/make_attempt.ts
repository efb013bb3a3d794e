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

/** By this answer header a receiver asks to be left alone. */
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

/** An attempt that was made: where to, with which headers of the endpoint's own, and what came. */
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
  /** Cut short from inside: it says nothing of the receiver and is made again. */
  | { kind: 'abandoned' }
  /** The secrets do not open, so nothing can be signed. */
  | { kind: 'secretUnreadable' }
  /** The bytes of the event are past their retention. */
  | { kind: 'payloadGone' }

/** Shows that there is a query, and nothing of it. */
const withoutQuery = (url: string) => url.replace(/\?.+/s, '?…')

/** Signs a claimed delivery as of now and sends the stored bytes as they are. */
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

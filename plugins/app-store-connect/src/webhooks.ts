import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type InboundEvent,
  type InboundRequest,
  type InboundWebhooks,
  unless,
} from '@tarmac/plugin-kit'
import { AppStoreConnect, PAGE } from './api.js'
import { manifest } from './manifest.js'
import type { Apple } from './operations.js'

const SIGNATURE = 'x-apple-signature'

/** The name that App Store Connect shows for the webhook. */
const NAME = 'Tarmac'

const EVENTS = (manifest.webhooks?.events ?? []) as Apple.WebhookEventType[]

/** Deliveries that failed in the last day are sent again, at most ten at a time. */
const MISSED_MS = 24 * 3_600_000
const MAX_MISSED = 10

interface Payload {
  data?: {
    id?: unknown
    type?: unknown
    attributes?: { timestamp?: unknown; newValue?: unknown; newState?: unknown }
    relationships?: { instance?: { data?: { id?: unknown; type?: unknown } } }
  }
}

/** Returns the ids of the app's webhooks that call an address, in order. */
async function hooksTo(api: AppStoreConnect, url: string): Promise<string[]> {
  const { data } = await api.read('/v1/apps/{id}/webhooks', await api.appId(), {
    'fields[webhooks]': ['url', 'enabled', 'eventTypes', 'name'],
    'limit': PAGE,
  })
  const own = data.filter(({ attributes }) => attributes?.url === url)
  return own.map(({ id }) => id).sort()
}

/** Removes a webhook, unless it or its app is gone already. */
async function removeHook(api: AppStoreConnect, id: string): Promise<void> {
  await unless(
    api.change('DELETE /v1/webhooks/{id}', id, undefined),
    ({ code }) => code === 'notFound'
  )
}

/** Requests the redelivery of failed deliveries: one call, and one for each. */
async function resendMissed(api: AppStoreConnect, id: string): Promise<void> {
  const from = new Date(api.ctx.now().getTime() - MISSED_MS).toISOString()
  const { data } = await api.read('/v1/webhooks/{id}/deliveries', id, {
    'filter[deliveryState]': ['FAILED'],
    'filter[createdDateGreaterThanOrEqualTo]': [from],
    'fields[webhookDeliveries]': ['createdDate', 'deliveryState', 'redelivery'],
    'limit': MAX_MISSED,
  })
  // A redelivery that failed is not repeated: polling finds the change anyway.
  for (const each of data.filter(({ attributes }) => attributes?.redelivery !== true)) {
    await unless(
      api.change('POST /v1/webhookDeliveries', null, {
        data: {
          type: 'webhookDeliveries',
          relationships: { template: { data: { type: 'webhookDeliveries', id: each.id } } },
        },
      }),
      ({ code }) => ['notFound', 'conflict', 'invalid', 'preconditionFailed'].includes(code)
    )
  }
}

const webhooks: InboundWebhooks = {
  /** Creates the webhook of an app, or updates the one with the same address. */
  async ensure(ctx, callbackUrl, secret) {
    const api = new AppStoreConnect(ctx)
    const wanted = { name: NAME, url: callbackUrl, secret, eventTypes: EVENTS, enabled: true }
    const [known] = await hooksTo(api, callbackUrl)
    if (known !== undefined) {
      await api.change(
        'PATCH /v1/webhooks/{id}',
        known,
        { data: { type: 'webhooks', id: known, attributes: wanted } },
        { isRepeatable: true }
      )
      await resendMissed(api, known)
      return { id: known }
    }
    const { data: made } = await api.change('POST /v1/webhooks', null, {
      data: {
        type: 'webhooks',
        attributes: wanted,
        relationships: { app: { data: { type: 'apps', id: await api.appId() } } },
      },
    })
    // The integrations for the App Store and TestFlight may each have created one: the first stays.
    const [first = made.id] = await hooksTo(api, callbackUrl)
    if (first !== made.id) await removeHook(api, made.id)
    return { id: first }
  },

  remove: (ctx, { id }) => removeHook(new AppStoreConnect(ctx), id),

  verify({ headers, rawBody }, secrets) {
    const given = headers[SIGNATURE] ?? ''
    return secrets.some((secret) => isSigned(given, rawBody, secret))
  },

  parse: (request) => {
    const event = eventIn(request)
    return event ? [event] : []
  },
}

function isSigned(given: string, rawBody: Uint8Array, secret: string): boolean {
  const expected = `hmacsha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Returns the event of a delivery; null for a ping or an unrequested event. */
function eventIn({ rawBody, receivedAt }: InboundRequest): InboundEvent | null {
  const { data } = JSON.parse(Buffer.from(rawBody).toString('utf8')) as Payload
  const { id: deliveryId, type: reported, attributes, relationships } = data ?? {}
  const type = typeof reported === 'string' ? nameOf(reported) : ''
  const isAskedFor = (EVENTS as string[]).includes(type)
  if (typeof deliveryId !== 'string' || !isAskedFor) return null
  const { timestamp, newValue, newState } = attributes ?? {}
  const { id } = relationships?.instance?.data ?? {}
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return {
    deliveryId,
    type,
    occurredAt: (Number.isNaN(at) ? receivedAt : new Date(at)).toISOString(),
    subject: { id: typeof id === 'string' ? id : deliveryId },
    hint: { state: newValue ?? newState ?? null },
  }
}

/**
 * Returns the subscription's spelling of a delivery's type: `BUILD_UPLOAD_STATE_UPDATED` for
 * `buildUploadStateUpdated`.
 */
const nameOf = (type: string) => type.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

export default webhooks

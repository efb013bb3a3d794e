import { createHmac, randomUUID } from 'node:crypto'
import type { Delivery, DeliveryOptions } from '@tarmac/plugin-kit/testing'
import { notFound, unknownRelation, type JsonApiRequest, type Resource } from './json_api.js'
import { at } from './resources.js'
import type { FakeHook, World } from './world.js'

/*
 * Webhooks of the app, and their deliveries.
 */

export function requireHook({ hooks }: World, id: string): FakeHook {
  const hook = hooks.find((each) => each.id === id)
  if (hook) return hook
  throw notFound('webhooks', id)
}

export function createHook(world: World, request: JsonApiRequest): FakeHook {
  if (request.related('app') !== world.appId) {
    throw unknownRelation('apps', request.related('app') ?? '')
  }
  const hook = { id: randomUUID(), deliveries: [], ...(request.attributes as object) } as unknown
  world.hooks.push(hook as FakeHook)
  return hook as FakeHook
}

export function changeHook(world: World, request: JsonApiRequest): FakeHook {
  return Object.assign(requireHook(world, request.params[0]), request.attributes)
}

export function removeHook(world: World, request: JsonApiRequest): void {
  const hook = requireHook(world, request.params[0])
  world.hooks = world.hooks.filter((each) => each !== hook)
}

export const deliveryResource = ({
  id,
  at: sentAt,
  state,
  isRedelivery,
}: FakeHook['deliveries'][number]): Resource => ({
  type: 'webhookDeliveries',
  id,
  attributes: {
    createdDate: at(sentAt),
    sentDate: at(sentAt),
    deliveryState: state,
    redelivery: isRedelivery,
  },
})

/** Returns the filtered deliveries of a webhook, newest first. */
export function deliveriesOf(world: World, request: JsonApiRequest): Resource[] {
  const { deliveries } = requireHook(world, request.params[0])
  const states = request.filter('deliveryState')
  const [from] = request.filter('createdDateGreaterThanOrEqualTo') ?? []
  return deliveries
    .filter(({ state }) => states === null || states.includes(state))
    .filter((each) => from === undefined || each.at >= Date.parse(from))
    .toReversed()
    .map(deliveryResource)
}

/** Sends a delivery again. */
export function redeliver({ hooks }: World, request: JsonApiRequest, now: number): Resource {
  const id = request.related('template') ?? ''
  const hook = hooks.find(({ deliveries }) => deliveries.some((each) => each.id === id))
  if (!hook) throw unknownRelation('webhookDeliveries', id)
  const again = { id: randomUUID(), at: now, state: 'PENDING', isRedelivery: true }
  hook.deliveries.push(again)
  return deliveryResource(again)
}

/** The subject of each event, and its attributes for the state. */
const EVENTS: Readonly<Record<string, { instance: string; attributes: object }>> = {
  APP_STORE_VERSION_APP_VERSION_STATE_UPDATED: {
    instance: 'appStoreVersions',
    attributes: { oldValue: 'WAITING_FOR_REVIEW', newValue: 'IN_REVIEW' },
  },
  BUILD_UPLOAD_STATE_UPDATED: {
    instance: 'buildUploads',
    attributes: { oldState: 'PROCESSING', newState: 'COMPLETE' },
  },
  BUILD_BETA_DETAIL_EXTERNAL_BUILD_STATE_UPDATED: {
    instance: 'buildBetaDetails',
    attributes: {
      oldExternalBuildState: 'WAITING_FOR_BETA_REVIEW',
      newExternalBuildState: 'IN_BETA_REVIEW',
    },
  },
}

/**
 * Makes a delivery as Apple sends it: its event type is spelt in camel case, unlike in
 * subscriptions.
 */
export function delivery(event: string, { secret, at: sentAt }: DeliveryOptions): Delivery {
  const { instance, attributes } = EVENTS[event] ?? { instance: 'webhooks', attributes: {} }
  const type = event
    .toLowerCase()
    .replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const payload = {
    data: {
      type,
      id: randomUUID(),
      version: 1,
      attributes: { ...attributes, timestamp: at(sentAt) },
      relationships: {
        instance: {
          data: { type: instance, id: 'ad7e6298-2570-4ca6-b3cc-f81788e40bdc' },
          links: { self: `https://api.appstoreconnect.apple.com/v1/${instance}/ad7e6298` },
        },
      },
    },
  }
  const rawBody = Buffer.from(JSON.stringify(payload))
  const signature = createHmac('sha256', secret).update(rawBody).digest('hex')
  return {
    headers: {
      'content-type': 'application/json',
      'x-apple-signature': `hmacsha256=${signature}`,
    },
    rawBody,
  }
}

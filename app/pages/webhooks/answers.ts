import type { Static } from '@sinclair/typebox'
import type {
  WebhookDeliveryDetail,
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
  WebhookEndpointWithSecret,
  WebhookSecretRotation,
  WebhookStatistics,
} from '#webhooks/entities'
import type { NamedApp } from '../keys/answers.js'

export type Endpoint = WebhookEndpointEntity
export type Delivery = WebhookDeliveryEntity
export type DeliveryDetail = Static<typeof WebhookDeliveryDetail>
export type MadeEndpoint = Static<typeof WebhookEndpointWithSecret>
export type Rotated = Static<typeof WebhookSecretRotation>

/** A type of event that endpoints can subscribe to. */
export interface EventType {
  type: string
  summary: string
}

export interface EndpointsAnswers {
  endpoints: readonly Endpoint[]
  apps: readonly NamedApp[]
}

/** The answers that the form of an endpoint shows. */
export interface EndpointFormAnswers {
  /** Null on the form for a new endpoint. */
  endpoint: Endpoint | null
  /** The entity tag of the endpoint. */
  tag: string | null
  apps: readonly NamedApp[]
  types: readonly EventType[]
}

export interface EndpointAnswers extends EndpointFormAnswers {
  endpoint: Endpoint
  tag: string
  statistics: WebhookStatistics
  deliveries: readonly Delivery[]
  nextCursor: string | null
}

export interface DeliveryAnswers {
  delivery: DeliveryDetail
  endpoint: Endpoint
}

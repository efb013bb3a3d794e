import { Type } from '@sinclair/typebox'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload, payloadSchema } from '#foundation/core/events/payloads'
import { WebhookReleasePayload } from '#releases/events'
import { AppStoreVersionData } from './entities.js'

const releasePayload = payloadSchema(WebhookReleasePayload)

const WebhookAppStoreVersionDataPayload = payloadSchema(
  extendedPayload('WebhookAppStoreVersionDataPayload', WebhookReleasePayload, {
    appStoreVersion: AppStoreVersionData,
    previousStatus: Type.String(),
  })
)

/** Events of stores, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'release.submitted',
    summary: 'An app update was submitted for review',
    description: 'At the first submission of the version, and again on a resubmission.',
    platforms: 'iOS, Android',
    schema: releasePayload,
  },
  {
    type: 'appStoreVersion.statusUpdated',
    summary: 'The status of an app store version changed',
    description: 'When the state in the store differs from before.',
    platforms: 'iOS, Android',
    schema: WebhookAppStoreVersionDataPayload,
  },
  {
    type: 'appStoreVersion.phasedReleaseUpdated',
    summary: 'The status of a phased or staged rollout changed',
    description: 'When its state, day or fraction differs from before.',
    platforms: 'iOS, Android',
    schema: WebhookAppStoreVersionDataPayload,
  },
]

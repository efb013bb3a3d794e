import { Type } from '@sinclair/typebox'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { WebhookReleasePayload } from '#releases/events'
import { AppStoreVersionData } from './entities.js'

const BriefAppStoreVersion = Type.Pick(AppStoreVersionData, [
  'type',
  'version',
  'destinationId',
  'apple',
  'google',
  'updatedAt',
])

const WebhookAppStoreVersionDataPayload = extendedPayload(
  'WebhookAppStoreVersionDataPayload',
  WebhookReleasePayload,
  { appStoreVersion: AppStoreVersionData, previousStatus: Type.String() },
  { appStoreVersion: BriefAppStoreVersion, previousStatus: Type.String() }
)

/** Events of stores, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'release.submitted',
    summary: 'An app update was submitted for review',
    description: 'At the first submission of the version, and again on a resubmission.',
    platforms: 'iOS, Android',
    payload: WebhookReleasePayload,
  },
  {
    type: 'release.released',
    summary: 'An app update was released to users',
    description: 'When it is live to users for the first time.',
    platforms: 'iOS, OTA',
    payload: WebhookReleasePayload,
  },
  {
    type: 'appStoreVersion.statusUpdated',
    summary: 'The status of an app store version changed',
    description: 'When the state in the store differs from before.',
    platforms: 'iOS, Android',
    payload: WebhookAppStoreVersionDataPayload,
  },
  {
    type: 'appStoreVersion.phasedReleaseUpdated',
    summary: 'The status of a phased or staged rollout changed',
    description: 'When its state, day or fraction differs from before.',
    platforms: 'iOS, Android',
    payload: WebhookAppStoreVersionDataPayload,
  },
]

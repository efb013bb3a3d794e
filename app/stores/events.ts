import { Type } from '@sinclair/typebox'
import { exampleEvent } from '#apps/examples'
import { exampleRelease } from '#releases/examples'
import { exampleVersions } from './examples.js'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { WebhookReleasePayload } from '#releases/events'
import { described, nonEmpty, nullable } from '#foundation/core/schemas'
import { AppStoreVersionData } from './entities.js'

const BriefAppStoreVersion = Type.Pick(AppStoreVersionData, [
  'type',
  'version',
  'destinationId',
  'apple',
  'google',
  'updatedAt',
])

const previousStatus = nullable(
  nonEmpty('Previous state in the store, or of the rollout; null if none.', 64)
)

const WebhookAppStoreVersionDataPayload = extendedPayload(
  'WebhookAppStoreVersionDataPayload',
  'A version in a store.',
  WebhookReleasePayload,
  {
    appStoreVersion: described('The version as the store now reports it.', AppStoreVersionData),
    previousStatus,
  },
  { appStoreVersion: described('The version in brief.', BriefAppStoreVersion), previousStatus }
)

/** The events about versions in stores. */
export const events: EventDeclaration[] = [
  {
    type: 'release.submitted',
    summary: 'An app update was submitted for review',
    description: 'At the first submission of the version, and again on a resubmission.',
    platforms: 'iOS, Android',
    payload: WebhookReleasePayload,
    example: () =>
      exampleEvent(4121, '2026-11-19T08:31:03.250Z', { release: exampleRelease('submitted') }),
  },
  {
    type: 'appStoreVersion.statusUpdated',
    summary: 'The status of an app store version changed',
    description: 'When the state in the store differs from before.',
    platforms: 'iOS, Android',
    payload: WebhookAppStoreVersionDataPayload,
    example: () =>
      exampleEvent(4122, '2026-11-19T21:10:00.000Z', {
        release: exampleRelease('submitted', {
          phase: 'inReview',
          updatedAt: '2026-11-19T21:10:00.000Z',
        }),
        appStoreVersion: exampleVersions.inReview,
        previousStatus: 'WAITING_FOR_REVIEW',
      }),
  },
  {
    type: 'appStoreVersion.phasedReleaseUpdated',
    summary: 'The status of a phased or staged rollout changed',
    description: 'When its state, day or fraction differs from before.',
    platforms: 'iOS, Android',
    payload: WebhookAppStoreVersionDataPayload,
    example: () =>
      exampleEvent(4126, '2026-11-24T09:00:00.000Z', {
        release: exampleRelease('released'),
        appStoreVersion: exampleVersions.secondDay,
        previousStatus: 'ACTIVE',
      }),
  },
]

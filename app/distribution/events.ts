import { exampleEvent } from '#apps/examples'
import { BUCKET, exampleBuild, examplePendingBuild } from './examples.js'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { Type } from '@sinclair/typebox'
import { extendedPayload } from '#foundation/core/events/payloads'
import { described, id, nonEmpty, object, enumOf } from '#foundation/core/schemas'
import { BuildDistroBuildEntity } from './entities.js'
import { BUCKET_STATUSES, BUCKET_TYPES } from './vocabulary.js'

const bucket = object('The bucket the build is in.', {
  id: id('Id of the bucket.'),
  name: nonEmpty('Name of the bucket.', 100),
  type: enumOf(BUCKET_TYPES, 'Type of the bucket.'),
  status: enumOf(BUCKET_STATUSES, 'Whether the bucket accepts builds or is archived.'),
})

const BriefBuild = Type.Pick(BuildDistroBuildEntity, [
  'id',
  'bucketId',
  'appId',
  'status',
  'fileSize',
  'version',
  'buildNumber',
  'source',
  'createdAt',
  'downloadUrl',
  'expiresAt',
])

const WebhookBuildDistroBuildPayload = extendedPayload(
  'WebhookBuildDistroBuildPayload',
  'An event about a build in a bucket.',
  WebhookAppPayload,
  { bucket, build: described('Current state of the build.', BuildDistroBuildEntity) },
  { bucket, build: described('The build in brief.', BriefBuild) }
)

/** Webhook events of distribution builds. */
export const events: EventDeclaration[] = [
  {
    type: 'buildDistro.newBuildAvailable',
    summary: 'A new distribution build is in a bucket',
    description: 'When a build appears in a bucket, once per bucket.',
    platforms: 'unspecified',
    payload: WebhookBuildDistroBuildPayload,
    example: () =>
      exampleEvent(4107, '2026-11-16T11:43:00.000Z', {
        bucket: BUCKET,
        build: examplePendingBuild,
      }),
  },
  {
    type: 'buildDistro.buildArtifactAvailable',
    summary: 'The artifact of a build can be downloaded',
    description: 'When the file is stored and hashed.',
    platforms: 'unspecified',
    payload: WebhookBuildDistroBuildPayload,
    example: () =>
      exampleEvent(4108, '2026-11-16T11:43:20.000Z', {
        bucket: BUCKET,
        build: exampleBuild,
      }),
  },
]

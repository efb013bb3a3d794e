import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { words } from '#foundation/core/schemas'
import { BuildDistroBuildEntity } from './entities.js'
import { BUCKET_STATUSES, BUCKET_TYPES } from './vocabulary.js'

const bucket = Type.Object(
  {
    id: Type.String({ description: 'Id of the bucket.' }),
    name: Type.String({ description: 'Its name.' }),
    type: words(BUCKET_TYPES),
    status: words(BUCKET_STATUSES),
  },
  { description: 'The bucket the build is in.' }
)

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
  WebhookAppPayload,
  { bucket, build: BuildDistroBuildEntity },
  { bucket, build: BriefBuild }
)

/** Events of distribution builds, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'buildDistro.newBuildAvailable',
    summary: 'A new distribution build is in a bucket',
    description: 'When the record is visible in a bucket, once per bucket.',
    platforms: 'unspecified',
    payload: WebhookBuildDistroBuildPayload,
  },
  {
    type: 'buildDistro.buildArtifactAvailable',
    summary: 'The artifact of a build can be downloaded',
    description: 'When the file is durable and hashed.',
    platforms: 'unspecified',
    payload: WebhookBuildDistroBuildPayload,
  },
]

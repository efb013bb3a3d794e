import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload, payloadSchema } from '#foundation/core/events/payloads'
import { words } from '#foundation/core/schemas'
import { BuildDistroBuildEntity } from './entities.js'
import { BUCKET_TYPES } from './vocabulary.js'

const WebhookBuildDistroBuildPayload = payloadSchema(
  extendedPayload('WebhookBuildDistroBuildPayload', WebhookAppPayload, {
    bucket: Type.Object({ id: Type.String(), name: Type.String(), type: words(BUCKET_TYPES) }),
    build: BuildDistroBuildEntity,
  })
)

/** Events of distribution builds, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'buildDistro.newBuildAvailable',
    summary: 'A new distribution build is in a bucket',
    description: 'When the record is visible in a bucket, once per bucket.',
    platforms: 'unspecified',
    schema: WebhookBuildDistroBuildPayload,
  },
  {
    type: 'buildDistro.buildArtifactAvailable',
    summary: 'The artifact of a build can be downloaded',
    description: 'When the file is durable and hashed.',
    platforms: 'unspecified',
    schema: WebhookBuildDistroBuildPayload,
  },
]

import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload, payloadSchema } from '#foundation/core/events/payloads'
import { ReleaseEntity } from '#releases/entities'
import { AppStoreBuildEntity, CIBuildEntity } from './entities.js'

const release = Type.Optional(ReleaseEntity)

const WebhookCIBuildPayload = payloadSchema(
  extendedPayload('WebhookCIBuildPayload', WebhookAppPayload, {
    ciBuild: CIBuildEntity,
    release,
    appStoreBuild: Type.Optional(AppStoreBuildEntity),
  })
)

const WebhookAppStoreBuildPayload = payloadSchema(
  extendedPayload('WebhookAppStoreBuildPayload', WebhookAppPayload, {
    appStoreBuild: AppStoreBuildEntity,
    release,
  })
)

/** Events of builds, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'ciBuild.statusChanged',
    summary: 'The status of a CI build changed',
    description: 'When the status of the build differs from before.',
    platforms: 'unspecified',
    schema: WebhookCIBuildPayload,
  },
  {
    type: 'ciBuild.appStoreBuildAssociated',
    summary: 'An app store build is linked with a CI build',
    description: 'When the link is made, found or by hand.',
    platforms: 'unspecified',
    schema: WebhookCIBuildPayload,
  },
  {
    type: 'appStoreBuild.newBuildAvailable',
    summary: 'A new app store build has been found',
    description: 'When the build is first seen in the store.',
    platforms: 'iOS, Android',
    schema: WebhookAppStoreBuildPayload,
  },
  {
    type: 'betaBuild.newBuildAvailable',
    summary: 'A new beta build has been found',
    description: 'When the build is first seen in beta.',
    platforms: 'iOS, Android',
    schema: WebhookAppStoreBuildPayload,
  },
]

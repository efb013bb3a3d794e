import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { ReleaseEntity } from '#releases/entities'
import { BriefRelease } from '#releases/events'
import { AppStoreBuildEntity, CIBuildEntity } from './entities.js'

const release = Type.Optional(ReleaseEntity)
const briefRelease = Type.Optional(BriefRelease)

const BriefCIBuild = Type.Pick(CIBuildEntity, [
  'id',
  'buildIdentifier',
  'buildStatus',
  'branch',
  'commitHash',
  'integrationId',
  'workflowData',
  'startedAt',
  'finishedAt',
  'releaseId',
])

const WebhookCIBuildPayload = extendedPayload(
  'WebhookCIBuildPayload',
  WebhookAppPayload,
  {
    ciBuild: CIBuildEntity,
    release,
    appStoreBuild: Type.Optional(AppStoreBuildEntity),
  },
  {
    ciBuild: BriefCIBuild,
    release: briefRelease,
    appStoreBuild: Type.Optional(AppStoreBuildEntity),
  }
)

const WebhookAppStoreBuildPayload = extendedPayload(
  'WebhookAppStoreBuildPayload',
  WebhookAppPayload,
  { appStoreBuild: AppStoreBuildEntity, release },
  { appStoreBuild: AppStoreBuildEntity, release: briefRelease }
)

/** Events of builds, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'ciBuild.statusChanged',
    summary: 'The status of a CI build changed',
    description: 'When the status of the build differs from before.',
    platforms: 'unspecified',
    payload: WebhookCIBuildPayload,
  },
  {
    type: 'ciBuild.appStoreBuildAssociated',
    summary: 'An app store build is linked with a CI build',
    description: 'When the link is made, found or by hand.',
    platforms: 'unspecified',
    payload: WebhookCIBuildPayload,
  },
  {
    type: 'appStoreBuild.newBuildAvailable',
    summary: 'A new app store build has been found',
    description: 'When the build is first seen in the store.',
    platforms: 'iOS, Android',
    payload: WebhookAppStoreBuildPayload,
  },
  {
    type: 'betaBuild.newBuildAvailable',
    summary: 'A new beta build has been found',
    description: 'When the build is first seen in beta.',
    platforms: 'iOS, Android',
    payload: WebhookAppStoreBuildPayload,
  },
]

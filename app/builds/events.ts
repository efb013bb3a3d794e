import { exampleEvent } from '#apps/examples'
import { exampleRelease } from '#releases/examples'
import { exampleCIBuild, exampleMatchedStoreBuild, exampleStoreBuild } from './examples.js'
import { Type } from '@sinclair/typebox'
import { WebhookAppPayload } from '#apps/events'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { described, nullable, enumOf } from '#foundation/core/schemas'
import { ReleaseEntity } from '#releases/entities'
import { BriefRelease } from '#releases/events'
import { AppStoreBuildEntity, CIBuildEntity } from './entities.js'
import { CI_BUILD_STATUSES } from './vocabulary.js'

const release = Type.Optional(
  described('Release of the build; absent if it has none.', ReleaseEntity)
)
const briefRelease = Type.Optional(
  described('Release of the build, in brief; absent if it has none.', BriefRelease)
)

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

const appStoreBuild = Type.Optional(
  described('The same build in the store; absent until it is matched.', AppStoreBuildEntity)
)

const previousStatus = Type.Optional(
  nullable(
    enumOf(
      CI_BUILD_STATUSES,
      'Previous status; null for a new build, absent if the status did not change.'
    )
  )
)

const WebhookCIBuildPayload = extendedPayload(
  'WebhookCIBuildPayload',
  'An event about a CI build.',
  WebhookAppPayload,
  {
    ciBuild: described('Current state of the build.', CIBuildEntity),
    previousStatus,
    release,
    appStoreBuild,
  },
  {
    ciBuild: described('The build in brief.', BriefCIBuild),
    previousStatus,
    release: briefRelease,
    appStoreBuild,
  }
)

const storeBuild = described('The build in the store.', AppStoreBuildEntity)

const WebhookAppStoreBuildPayload = extendedPayload(
  'WebhookAppStoreBuildPayload',
  'An event about a build in a store.',
  WebhookAppPayload,
  { appStoreBuild: storeBuild, release },
  { appStoreBuild: storeBuild, release: briefRelease }
)

/** Events of builds, as they will be sent; subscriptions may name them already. */
export const events: EventDeclaration[] = [
  {
    type: 'ciBuild.statusChanged',
    summary: 'The status of a CI build changed',
    description: 'When the status of a build changes.',
    platforms: 'unspecified',
    payload: WebhookCIBuildPayload,
    example: () =>
      exampleEvent(4106, '2026-11-16T11:42:10.000Z', {
        ciBuild: exampleCIBuild,
        previousStatus: 'running',
        release: exampleRelease('kickedOff'),
      }),
  },
  {
    type: 'ciBuild.appStoreBuildAssociated',
    summary: 'An app store build is linked with a CI build',
    description: 'When the builds are linked, automatically or by hand.',
    platforms: 'unspecified',
    payload: WebhookCIBuildPayload,
    example: () =>
      exampleEvent(4110, '2026-11-16T12:05:03.000Z', {
        ciBuild: { ...exampleCIBuild, appStoreBuild: exampleMatchedStoreBuild },
        release: exampleRelease('kickedOff'),
        appStoreBuild: exampleMatchedStoreBuild,
      }),
  },
  {
    type: 'appStoreBuild.newBuildAvailable',
    summary: 'A new app store build has been found',
    description: 'When the build is first seen in the store.',
    platforms: 'iOS, Android',
    payload: WebhookAppStoreBuildPayload,
    example: () =>
      exampleEvent(4109, '2026-11-16T12:05:00.000Z', {
        appStoreBuild: exampleStoreBuild,
        release: exampleRelease('kickedOff'),
      }),
  },
  {
    type: 'betaBuild.newBuildAvailable',
    summary: 'A new beta build has been found',
    description: 'When the build is first seen in beta.',
    platforms: 'iOS, Android',
    payload: WebhookAppStoreBuildPayload,
    example: () =>
      exampleEvent(4111, '2026-11-16T13:10:00.000Z', {
        appStoreBuild: exampleMatchedStoreBuild,
        release: exampleRelease('kickedOff'),
      }),
  },
]

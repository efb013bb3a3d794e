import { Type, type TObject } from '@sinclair/typebox'
import { AppStoreBuildEntity } from '#builds/entities'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendPayload } from '#foundation/core/events/payloads'
import { exampleOfSchema } from '#foundation/api/openapi/example_of'
import { words } from '#foundation/core/schemas'
import { BUCKET_TYPES } from '#distribution/vocabulary'
import { ReleaseEntity } from '#releases/entities'
import { WebhookAppPayload, WebhookReleasePayload } from '#releases/events'
import { AppStoreVersionData } from '#stores/entities'
import type { EventName } from '#webhooks/event_names'
import {
  BuildDistroBuildEntity,
  CIBuildEntity,
  WebhookFixRequestEntity,
  WebhookFixRequestReleaseEntity,
  WebhookFixRequestStepRunEntity,
} from '#webhooks/coming/entities'

/*
 * Events of the specification whose cause is not there yet. They can be subscribed to
 * already; each declaration moves to the module that comes to cause it.
 */

const release = Type.Optional(ReleaseEntity)

const reminderPayload = Type.Object({
  ...WebhookReleasePayload.properties,
  incompleteSteps: Type.Array(Type.Object({ stepConfigId: Type.String(), name: Type.String() })),
  frozen: Type.Optional(Type.Boolean({ description: 'The target lies in a freeze.' })),
})

export const WebhookAppStoreVersionDataPayload = extendPayload(
  'WebhookAppStoreVersionDataPayload',
  WebhookReleasePayload,
  { appStoreVersion: AppStoreVersionData, previousStatus: Type.String() }
)

export const WebhookCIBuildPayload = extendPayload('WebhookCIBuildPayload', WebhookAppPayload, {
  ciBuild: CIBuildEntity,
  release,
  appStoreBuild: Type.Optional(AppStoreBuildEntity),
})

export const WebhookAppStoreBuildPayload = extendPayload(
  'WebhookAppStoreBuildPayload',
  WebhookAppPayload,
  { appStoreBuild: AppStoreBuildEntity, release }
)

export const WebhookBuildDistroBuildPayload = extendPayload(
  'WebhookBuildDistroBuildPayload',
  WebhookAppPayload,
  {
    bucket: Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: words(BUCKET_TYPES),
    }),
    build: BuildDistroBuildEntity,
  }
)

export const WebhookFixRequestPayload = extendPayload(
  'WebhookFixRequestPayload',
  WebhookAppPayload,
  {
    release: WebhookFixRequestReleaseEntity,
    stepRun: Type.Optional(WebhookFixRequestStepRunEntity),
    fixRequest: WebhookFixRequestEntity,
  }
)

function declare(
  schema: TObject,
  type: EventName,
  platforms: string,
  summary: string,
  description: string
): EventDeclaration {
  const example = { ...(exampleOfSchema(schema) as object), eventType: type, type }
  return { type, summary, description, platforms, schema, example }
}

/** The events that no module causes yet. */
export const events: EventDeclaration[] = [
  declare(
    WebhookReleasePayload,
    'release.submitted',
    'iOS, Android',
    'An app update was submitted for review',
    'At the first submission of the version, and again on a resubmission.'
  ),
  declare(
    WebhookReleasePayload,
    'release.released',
    'iOS, OTA',
    'An app update was released to users',
    'When it is live to users for the first time.'
  ),
  ...(
    [
      ['release.kickoffReminder', 'All', 'kicked off'],
      ['release.submitReminder', 'iOS, Android', 'submitted for review'],
      ['release.releaseReminder', 'iOS', 'released'],
    ] as const
  ).map(([type, platforms, done]) =>
    declare(
      reminderPayload,
      type,
      platforms,
      `Reminder: the release is soon to be ${done}`,
      'Once per target date and lead time, 24 hours by default, with the steps still incomplete; again when the date moves. In a freeze it says `frozen: true`.'
    )
  ),
  declare(
    WebhookAppStoreVersionDataPayload,
    'appStoreVersion.statusUpdated',
    'iOS, Android',
    'The status of an app store version changed',
    'When the state in the store differs from before.'
  ),
  declare(
    WebhookAppStoreVersionDataPayload,
    'appStoreVersion.phasedReleaseUpdated',
    'iOS, Android',
    'The status of a phased or staged rollout changed',
    'When its state, day or fraction differs from before.'
  ),
  declare(
    WebhookBuildDistroBuildPayload,
    'buildDistro.newBuildAvailable',
    'unspecified',
    'A new distribution build is in a bucket',
    'When the record is visible in a bucket, once per bucket.'
  ),
  declare(
    WebhookBuildDistroBuildPayload,
    'buildDistro.buildArtifactAvailable',
    'unspecified',
    'The artifact of a build can be downloaded',
    'When the file is durable and hashed.'
  ),
  declare(
    WebhookCIBuildPayload,
    'ciBuild.statusChanged',
    'unspecified',
    'The status of a CI build changed',
    'When the status of the build differs from before.'
  ),
  declare(
    WebhookCIBuildPayload,
    'ciBuild.appStoreBuildAssociated',
    'unspecified',
    'An app store build is linked with a CI build',
    'When the link is made, found or by hand.'
  ),
  declare(
    WebhookAppStoreBuildPayload,
    'appStoreBuild.newBuildAvailable',
    'iOS, Android',
    'A new app store build has been found',
    'When the build is first seen in the store.'
  ),
  declare(
    WebhookAppStoreBuildPayload,
    'betaBuild.newBuildAvailable',
    'iOS, Android',
    'A new beta build has been found',
    'When the build is first seen in beta.'
  ),
  ...(
    [
      ['fixRequest.created', 'A fix request is created on a release', 'When it is created.'],
      [
        'fixRequest.approved',
        'A fix request has the approvals it needs',
        'Once, when the required number is reached; not for each approval.',
      ],
      ['fixRequest.rejected', 'A fix request is rejected', 'When it is rejected.'],
      [
        'fixRequest.merged',
        'All changes of a fix request are merged',
        'When all its code is in the release branch.',
      ],
    ] as const
  ).map(([type, summary, description]) =>
    declare(WebhookFixRequestPayload, type, 'unspecified', summary, description)
  ),
]

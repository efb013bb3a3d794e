import { Type, type Static } from '@sinclair/typebox'
import { instant, named, nullable, words } from '#foundation/core/schemas'
import { DEFAULT_RELEASE_TYPES, RELEASE_STATUSES, RELEASE_STEP_TYPES } from '#releases/vocabulary'
import { APP_PLATFORMS, STORE_KINDS } from './vocabulary.js'

export const AppPlatformSchema = words(APP_PLATFORMS)
export const ReleaseStepTypeSchema = words(RELEASE_STEP_TYPES)

const required = Type.Object({ required: Type.Boolean() })

export const StepEntity = named(
  'StepEntity',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: ReleaseStepTypeSchema,
    groupIndex: Type.Integer({ minimum: 0 }),
    position: Type.Integer({ minimum: 0 }),
    releaseTypes: Type.Object({
      standard: Type.Optional(required),
      hotfix: Type.Optional(required),
      rollback: Type.Optional(required),
    }),
    destinationId: nullable(Type.String()),
  })
)
export type StepEntity = Static<typeof StepEntity>

export const AppEntity = named(
  'AppEntity',
  Type.Object({
    id: Type.String(),
    orgId: Type.String(),
    name: Type.String(),
    platform: AppPlatformSchema,
    appGroup: nullable(Type.String()),
    iconUrl: nullable(Type.String()),
    bundleId: nullable(Type.String()),
    createdAt: instant(),
    updatedAt: instant(),
    settings: Type.Object({
      defaultReleaseType: words(DEFAULT_RELEASE_TYPES),
      assumeHotfixesArePointReleases: Type.Boolean(),
      versionFiles: Type.Array(Type.String()),
      localizationDirectories: Type.Array(Type.String()),
      requireFixApprovals: Type.Boolean(),
      enableFixStatusChecks: Type.Boolean(),
      hideNotRequiredReleaseStepsInTimeline: Type.Boolean(),
    }),
    appUsers: Type.Array(Type.String({ format: 'email' })),
    currentRelease: nullable(
      Type.Object({
        id: Type.String(),
        version: Type.String(),
        status: words(RELEASE_STATUSES),
      })
    ),
    liveVersion: nullable(Type.String()),
    destinations: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        storeType: words(STORE_KINDS),
        integrationInstallationId: nullable(Type.String()),
      })
    ),
    steps: Type.Array(StepEntity),
  })
)
export type AppEntity = Static<typeof AppEntity>

/** An integration of an app (`entities.md`); none is listed until providers are connected. */
export const IntegrationEntity = named(
  'IntegrationEntity',
  Type.Object({
    id: Type.String(),
    alias: nullable(Type.String()),
    type: Type.String(),
    kind: Type.String(),
    provider: Type.Object({ id: Type.String(), alias: nullable(Type.String()) }),
    data: Type.Record(Type.String(), Type.Unknown()),
    status: words(['connected', 'authError', 'disconnected']),
    lastSyncedAt: nullable(instant()),
    createdAt: instant(),
  })
)

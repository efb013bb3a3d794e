import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import { ActorEntity, deferred, instant, named, nullable, words } from '#foundation/core/schemas'
import {
  DEFAULT_RELEASE_TYPES,
  RELEASE_STEP_TYPES,
  WORKFLOW_RELEASE_TYPES,
  type WorkflowReleaseType,
} from '#workflow/vocabulary'
import { appParts, type AppMembers } from './parts.js'
import type { AppSettings } from './settings.js'
import { APP_PLATFORMS, STORE_KINDS } from './vocabulary.js'

const AppPlatformSchema = words(APP_PLATFORMS)
export const ReleaseStepTypeSchema = words(RELEASE_STEP_TYPES)

const required = Type.Optional(Type.Object({ required: Type.Boolean() }))
const byReleaseType = Object.fromEntries(
  WORKFLOW_RELEASE_TYPES.map((type) => [type, required])
) as Record<WorkflowReleaseType, typeof required>

const StepEntity = named(
  'StepEntity',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: ReleaseStepTypeSchema,
    groupIndex: Type.Integer({ minimum: 0 }),
    position: Type.Integer({ minimum: 0 }),
    releaseTypes: Type.Object(byReleaseType),
    destinationId: nullable(Type.String()),
  })
)

const appMembers = {
  id: Type.String(),
  orgId: Type.String(),
  name: Type.String(),
  platform: AppPlatformSchema,
  appGroup: nullable(Type.String()),
  iconUrl: nullable(Type.String()),
  iconFailure: nullable(
    Type.Object(
      { url: Type.String(), reason: Type.String(), at: instant() },
      { description: 'Why the icon that the configuration names could not be fetched.' }
    )
  ),
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
  } satisfies Record<keyof AppSettings, TSchema>),
  appUsers: Type.Array(Type.String({ format: 'email' })),
  destinations: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      storeType: words(STORE_KINDS),
      integrationInstallationId: nullable(Type.String()),
    })
  ),
  steps: Type.Array(StepEntity),
}

const ownMembers = Type.Object(appMembers)

export type AppEntity = Static<typeof ownMembers> & AppMembers

/** An app as the API shows it: its own members, and those that parts add. */
export const AppEntity = deferred<AppEntity>(() =>
  named('AppEntity', Type.Object({ ...appMembers, ...addedMembers() }))
)

/** An entry of an app's timeline: what belongs to none of its releases. */
export const AppTimelineEvent = named(
  'AppTimelineEvent',
  Type.Object({
    id: Type.String(),
    type: Type.String(),
    title: Type.String(),
    occurredAt: instant(),
    actor: ActorEntity,
    appId: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown()),
  })
)
export type AppTimelineEvent = Static<typeof AppTimelineEvent>

function addedMembers(): TProperties {
  return Object.assign({}, ...appParts.parts.map((part) => part.entity?.schema))
}

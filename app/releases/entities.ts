import { Type, type Static } from '@sinclair/typebox'
import { ReleaseStepTypeSchema } from '#apps/entities'
import { AppStoreBuildEntity } from '#builds/entities'
import { ChecklistItemEntity } from '#checklists/entities'
import { ActorEntity, instant, named, nullable, words } from '#foundation/core/schemas'
import { AppStoreVersionData } from '#stores/entities'
import {
  REGRESSION_STATUSES,
  RELEASE_PHASES,
  RELEASE_STATUSES,
  RELEASE_STEP_STATUSES,
  RELEASE_TYPES,
  TEST_RUN_STATUSES,
} from './vocabulary.js'

export const ReleaseStatusSchema = words(RELEASE_STATUSES)
export const ReleaseTypeSchema = words(RELEASE_TYPES)
export const ReleaseTimelinePhaseSchema = words(RELEASE_PHASES)
export const ReleaseStepStatusSchema = words(RELEASE_STEP_STATUSES)
export const ReleaseRegressionTestingStatusSchema = named(
  'ReleaseRegressionTestingStatus',
  words(REGRESSION_STATUSES)
)

export const MetadataValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

export const CustomMetadataEntry = named(
  'CustomMetadataEntry',
  Type.Object({ key: Type.String(), value: MetadataValue })
)
export type CustomMetadataEntry = Static<typeof CustomMetadataEntry>

export const CustomMetadata = named(
  'CustomMetadata',
  Type.Object({ entries: Type.Array(CustomMetadataEntry, { maxItems: 100 }) })
)
export type CustomMetadata = Static<typeof CustomMetadata>

export const ReleaseTag = named(
  'ReleaseTag',
  Type.Object({
    name: Type.String(),
    commitHash: Type.String(),
    version: nullable(Type.String()),
    createdAt: instant(),
    url: nullable(Type.String()),
  })
)

const releaseMembers = {
  id: Type.String(),
  appId: Type.String(),
  version: Type.String(),
  releaseName: nullable(Type.String()),
  releaseDescription: nullable(Type.String()),
  releaseType: ReleaseTypeSchema,
  status: ReleaseStatusSchema,
  phase: ReleaseTimelinePhaseSchema,
  releasePilot: nullable(
    Type.Object({ id: Type.String(), email: Type.String(), name: nullable(Type.String()) })
  ),
  releasePilotId: nullable(Type.String()),
  targetKickoffAt: nullable(instant()),
  targetSubmitAt: nullable(instant()),
  targetReleaseAt: nullable(instant()),
  kickedOffAt: nullable(instant()),
  submittedAt: nullable(instant()),
  approvedAt: nullable(instant()),
  releasedAt: nullable(instant()),
  completedAt: nullable(instant()),
  skippedAt: nullable(instant()),
  releaseBranch: nullable(Type.String()),
  baseTag: nullable(Type.Object({ name: Type.String(), commitHash: nullable(Type.String()) })),
  tag: nullable(ReleaseTag),
  regressionStatus: ReleaseRegressionTestingStatusSchema,
  readyToSubmit: Type.Boolean(),
  readyToRelease: Type.Boolean(),
  selectedBuild: nullable(AppStoreBuildEntity),
  appStoreVersions: Type.Array(AppStoreVersionData),
  rollback: nullable(Type.Object({ sourceVersion: Type.String(), targetVersion: Type.String() })),
  customMetadata: nullable(CustomMetadata),
  automationsPaused: Type.Boolean(),
  createdAt: instant(),
  updatedAt: instant(),
  createdBy: ActorEntity,
}

export const ReleaseEntity = named('ReleaseEntity', Type.Object(releaseMembers))
export type ReleaseEntity = Static<typeof ReleaseEntity>

export const ApprovalReleaseStepData = named(
  'ApprovalReleaseStepData',
  Type.Object({
    items: Type.Array(ChecklistItemEntity),
    approvedCount: Type.Integer({ minimum: 0 }),
    totalCount: Type.Integer({ minimum: 0 }),
  })
)

export const RegressionTestingTestRunEntity = named(
  'RegressionTestingTestRunEntity',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    url: nullable(Type.String()),
    provider: Type.String(),
    statuses: Type.Array(
      named(
        'RegressionTestingTestRunStatusEntity',
        Type.Object({
          type: words(TEST_RUN_STATUSES),
          label: Type.String(),
          count: Type.Integer({ minimum: 0 }),
        })
      )
    ),
    total: Type.Integer({ minimum: 0 }),
    passed: Type.Number({ minimum: 0, maximum: 100 }),
  })
)

export const RegressionReleaseStepData = named(
  'RegressionReleaseStepData',
  Type.Object({
    regressionStatus: ReleaseRegressionTestingStatusSchema,
    items: Type.Array(ChecklistItemEntity),
    testRuns: Type.Array(RegressionTestingTestRunEntity),
  })
)

export const FeatureReadinessReleaseStepData = named(
  'FeatureReadinessReleaseStepData',
  Type.Object({
    total: Type.Integer({ minimum: 0 }),
    ready: Type.Integer({ minimum: 0 }),
    notReady: Type.Integer({ minimum: 0 }),
    ignored: Type.Integer({ minimum: 0 }),
  })
)

export const StoreReleaseStepData = named(
  'StoreReleaseStepData',
  Type.Object({
    appStoreVersion: nullable(AppStoreVersionData),
    selectedBuild: nullable(AppStoreBuildEntity),
  })
)

export const KickoffReleaseStepData = named(
  'KickoffReleaseStepData',
  Type.Object({ branch: nullable(Type.String()), bump: nullable(Type.String()) })
)

/** By the step's type; a type without data of its own has an empty object. */
export const ReleaseStepData = named(
  'ReleaseStepData',
  Type.Union([
    ApprovalReleaseStepData,
    RegressionReleaseStepData,
    FeatureReadinessReleaseStepData,
    StoreReleaseStepData,
    KickoffReleaseStepData,
    Type.Object({}, { maxProperties: 0 }),
  ])
)
export type ReleaseStepData = Static<typeof ReleaseStepData>

export const ReleaseStepEntity = named(
  'ReleaseStepEntity',
  Type.Object({
    id: Type.String(),
    stepConfigId: Type.String(),
    releaseId: Type.String(),
    name: Type.String(),
    type: ReleaseStepTypeSchema,
    status: ReleaseStepStatusSchema,
    required: Type.Boolean(),
    hidden: Type.Boolean(),
    groupIndex: Type.Integer({ minimum: 0 }),
    position: Type.Integer({ minimum: 0 }),
    destinationId: nullable(Type.String()),
    stepRunId: Type.String(),
    statusChangedAt: nullable(instant()),
    data: ReleaseStepData,
    checklistItems: Type.Object({
      total: Type.Integer({ minimum: 0 }),
      done: Type.Integer({ minimum: 0 }),
    }),
  })
)
export type ReleaseStepEntity = Static<typeof ReleaseStepEntity>

export const Release = named(
  'Release',
  Type.Object({
    ...releaseMembers,
    steps: Type.Array(ReleaseStepEntity),
    fixRequests: Type.Integer({ minimum: 0 }),
  })
)
export type Release = Static<typeof Release>

export const StepRunEntity = named(
  'StepRunEntity',
  Type.Object({
    id: Type.String(),
    stepId: Type.String(),
    stepConfigId: Type.String(),
    releaseId: Type.String(),
    type: ReleaseStepTypeSchema,
    status: ReleaseStepStatusSchema,
    attempt: Type.Integer({ minimum: 1 }),
    startedAt: instant(),
    completedAt: nullable(instant()),
    data: named('StepRunData', Type.Record(Type.String(), Type.Unknown())),
  })
)
export type StepRunEntity = Static<typeof StepRunEntity>

export const PublicTimelineEvent = named(
  'PublicTimelineEvent',
  Type.Object({
    id: Type.String(),
    type: Type.String(),
    title: Type.String(),
    occurredAt: instant(),
    actor: ActorEntity,
    releaseId: Type.String(),
    stepConfigId: nullable(Type.String()),
    data: Type.Record(Type.String(), Type.Unknown()),
    position: Type.Integer({ minimum: 1 }),
    previousHash: Type.String(),
    hash: Type.String(),
  })
)
export type PublicTimelineEvent = Static<typeof PublicTimelineEvent>

const who = Type.Object({
  type: Type.String(),
  id: Type.Optional(nullable(Type.String())),
  name: Type.String(),
})
const condition = Type.Object({
  code: Type.String(),
  message: Type.String(),
  subject: Type.Optional(
    nullable(Type.Object({ type: Type.String(), id: nullable(Type.String()), name: Type.String() }))
  ),
  who: Type.Array(who),
  approvalsMissing: Type.Optional(
    Type.Integer({ minimum: 0, description: 'How many more people have to approve the subject.' })
  ),
})

export const WhyNotMovingEntity = named(
  'WhyNotMovingEntity',
  Type.Object({
    releaseId: Type.String(),
    status: ReleaseStatusSchema,
    phase: ReleaseTimelinePhaseSchema,
    readyToSubmit: Type.Boolean(),
    readyToRelease: Type.Boolean(),
    steps: Type.Array(
      Type.Object({
        stepId: Type.String(),
        stepConfigId: Type.String(),
        name: Type.String(),
        type: ReleaseStepTypeSchema,
        status: ReleaseStepStatusSchema,
        required: Type.Boolean(),
        unmet: Type.Array(condition),
      })
    ),
    release: Type.Array(condition),
    next: Type.Array(
      Type.Object({ at: nullable(instant()), what: Type.String(), message: Type.String() })
    ),
  })
)

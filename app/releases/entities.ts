import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import { ReleaseStepTypeSchema } from '#apps/entities'
import { ActorEntity, deferred, instant, named, nullable, words } from '#foundation/core/schemas'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { CustomMetadata } from './custom_metadata.js'
import {
  releaseParts,
  type ReleaseDetailMembers,
  type ReleaseMembers,
  type ReleasePart,
} from './parts.js'
import {
  REGRESSION_STATUSES,
  RELEASE_PHASES,
  RELEASE_STATUSES,
  RELEASE_STEP_STATUSES,
} from './vocabulary.js'

export const ReleaseStatusSchema = words(RELEASE_STATUSES)
export const ReleaseTypeSchema = words(RELEASE_TYPES)
export const ReleaseTimelinePhaseSchema = words(RELEASE_PHASES)
export const ReleaseStepStatusSchema = words(RELEASE_STEP_STATUSES)
export const ReleaseRegressionTestingStatusSchema = named(
  'ReleaseRegressionTestingStatus',
  words(REGRESSION_STATUSES)
)

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
  rollback: nullable(Type.Object({ sourceVersion: Type.String(), targetVersion: Type.String() })),
  customMetadata: nullable(CustomMetadata),
  automationsPaused: Type.Boolean(),
  createdAt: instant(),
  updatedAt: instant(),
  createdBy: ActorEntity,
}

const own = Type.Object(releaseMembers)
export type ReleaseOwnMembers = Static<typeof own>

/** A release as lists and payloads show it: its own members, and those that parts add. */
export const ReleaseEntity = deferred<ReleaseEntity>(() =>
  named(
    'ReleaseEntity',
    Type.Object({ ...releaseMembers, ...added((part) => part.entity?.schema) })
  )
)
export type ReleaseEntity = ReleaseOwnMembers & ReleaseMembers

export const KickoffReleaseStepData = named(
  'KickoffReleaseStepData',
  Type.Object({ branch: nullable(Type.String()), bump: nullable(Type.String()) })
)

/** By the step's type; a type without data of its own has an empty object. */
export const ReleaseStepData = deferred<Record<string, unknown>>(() =>
  named(
    'ReleaseStepData',
    Type.Union([...stepData(), KickoffReleaseStepData, Type.Object({}, { maxProperties: 0 })])
  )
)

const stepMembers = {
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
}

const ownStep = Type.Object(stepMembers)

/** A step of a release, with what parts add to it. */
export const ReleaseStepEntity = deferred<ReleaseStepEntity>(() =>
  named(
    'ReleaseStepEntity',
    Type.Object({ ...stepMembers, ...added((part) => part.steps?.members) })
  )
)
export type ReleaseStepEntity = Static<typeof ownStep>

/** The whole representation of a release. */
export const Release = deferred<Release>(() =>
  named(
    'Release',
    Type.Object({
      ...releaseMembers,
      ...added((part) => part.entity?.schema),
      steps: Type.Array(ReleaseStepEntity),
      ...added((part) => part.detail?.schema),
    })
  )
)
export type Release = ReleaseEntity & { steps: ReleaseStepEntity[] } & ReleaseDetailMembers

function added(schemaOf: (part: ReleasePart) => TProperties | undefined): TProperties {
  return Object.assign({}, ...releaseParts.parts.map(schemaOf))
}

/** The data that parts give to types of steps, each schema once. */
function stepData(): TSchema[] {
  return [...new Set(releaseParts.parts.flatMap(({ steps }) => Object.values(steps?.data ?? {})))]
}

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
        warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
      })
    ),
    release: Type.Array(condition),
    next: Type.Array(
      Type.Object({ at: nullable(instant()), what: Type.String(), message: Type.String() })
    ),
  })
)

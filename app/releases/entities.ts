import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { ReleaseStepTypeSchema, stepPlaceMembers } from '#apps/entities'
import {
  extending,
  ActorEntity,
  deferred,
  entity,
  flag,
  described,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  url,
  enumOf,
} from '#foundation/core/schemas'
import { Person } from '#organizations/entities'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { CustomMetadata } from './texts/custom_metadata.js'
import {
  releaseExtensions,
  type ReleaseDetailMembers,
  type ReleaseMembers,
  type PresentationExtension,
} from './extensions.js'
import type { ReleaseWarning } from './ports.js'
import {
  ApprovalStepRunData,
  MetadataStepRunData,
  OtherReleaseStepData,
  OtherStepRunData,
} from './schemas/step_data.js'
import { anyData, unionByType, type DataByType } from './schemas/union_by_type.js'
import {
  REGRESSION_STATUSES,
  RELEASE_PHASES,
  RELEASE_STATUSES,
  RELEASE_STEP_STATUSES,
} from './vocabulary.js'

export const ReleaseStatusSchema = enumOf(RELEASE_STATUSES)
const ReleaseTypeSchema = enumOf(RELEASE_TYPES)
export const ReleaseTimelinePhaseSchema = enumOf(RELEASE_PHASES)
export const ReleaseStepStatusSchema = enumOf(RELEASE_STEP_STATUSES)
export const ReleaseRegressionTestingStatusSchema = enumOf(REGRESSION_STATUSES)

/** The id of a release, wherever one is shown. */
export const releaseId = (description = 'Id of the release, `<appId>:<version>`.') =>
  nonEmpty(description, 240)

/** A version of one to three numeric parts. */
export const versionText = (description: string) => nonEmpty(description, 32)

export const ReleaseTag = entity('ReleaseTag', 'A tag in version control.', {
  name: nonEmpty('Name of the tag.', 256),
  commitHash: nonEmpty('Hash of the tagged commit.', 64),
  version: nullable(versionText('Version that the tag marks; null if its name does not show it.')),
  createdAt: instant('When the tag was created, in UTC.'),
  url: nullable(url('URL of the tag page; null if version control has none.')),
})

const reached = (what: string) => nullable(instant(`When ${what}, in UTC; null until then.`))
const target = (what: string) =>
  nullable(instant(`When the release is due to be ${what}, in UTC; null if not set.`))

const CherryPickEntity = entity('CherryPickEntity', 'A commit to cherry-pick onto a branch.', {
  hash: nonEmpty('Hash of the commit, as requested.', 64),
  status: enumOf(
    ['requested', 'failed', 'picked', 'dismissed'],
    'Status of the cherry-pick; `requested` until attempted. The release is not ready until it is `picked` or `dismissed`.'
  ),
  failure: nullable(
    nonEmpty('Why the cherry-pick failed; null if it did not, or was not attempted.', 2000)
  ),
  pickedAs: nullable(
    nonEmpty('Hash of the resulting commit; null if not picked, or without changes.', 64)
  ),
  dismissedBy: nullable(
    described('Who dismissed the cherry-pick; null unless dismissed.', ActorEntity)
  ),
  dismissedReason: nullable(nonEmpty('Reason for the dismissal; null unless dismissed.', 1000)),
  dismissedAt: nullable(instant('When it was dismissed, in UTC; null unless dismissed.')),
})

const releaseMembers = {
  id: releaseId('Id of the release, `<appId>:<version>`; it changes with the version.'),
  appId: nonEmpty('Id of the app.', 200),
  version: versionText('Version in one to three numeric parts; `1.2` and `1.2.0` are the same.'),
  releaseName: nullable(nonEmpty('Additional name of the release; null if none.', 200)),
  releaseDescription: nullable(text('Description of the release; null if none.', 10_000)),
  releaseType: described(
    'Type of the release, from its version or the request.',
    ReleaseTypeSchema
  ),
  status: described('Status of the release.', ReleaseStatusSchema),
  phase: described('Current phase of the release.', ReleaseTimelinePhaseSchema),
  releasePilot: nullable(described('Person in charge of the release; null if none.', Person)),
  releasePilotId: nullable(id('Id of the release pilot; null if none.')),
  targetKickoffAt: target('kicked off'),
  targetSubmitAt: target('submitted for review'),
  targetReleaseAt: target('released to users'),
  inAppUpdatePriority: nullable(
    Type.Integer({
      description:
        'In-app update priority, 0 to 5, sent with the next submission to Google Play. Null to use that of the app, and for other stores.',
      minimum: 0,
      maximum: 5,
    })
  ),
  kickedOffAt: reached('work on the release started'),
  submittedAt: reached('the release was submitted for review'),
  approvedAt: reached('the store approved the release'),
  releasedAt: reached('the release first reached users'),
  completedAt: reached('the release was completed'),
  skippedAt: nullable(instant('When the release was skipped, in UTC; null unless skipped.')),
  releaseBranch: nullable(nonEmpty('Branch the release is built from; null until known.', 256)),
  baseTag: nullable(
    object('Tag a hotfix starts from; null for other releases.', {
      name: nonEmpty('Name of the tag.', 256),
      commitHash: nullable(
        nonEmpty('Hash of the tagged commit; null if only the name is known.', 64)
      ),
    })
  ),
  tag: nullable(described('Tag of the released version; null until there is one.', ReleaseTag)),
  regressionStatus: described(
    'Regression testing status of the release.',
    ReleaseRegressionTestingStatusSchema
  ),
  readyToSubmit: flag('Whether every required step before submission is complete.'),
  readyToRelease: flag('Whether every required step is complete and the store has approved.'),
  rollback: nullable(
    object('Versions that a rollback ships and replaces; null for other releases.', {
      sourceVersion: versionText('Version whose build is shipped again.'),
      targetVersion: versionText('Version that is rolled back.'),
    })
  ),
  customMetadata: Type.Optional(
    nullable(
      described(
        'Custom metadata of the release; null if none. Lists omit it unless requested.',
        CustomMetadata
      )
    )
  ),
  cherryPicks: Type.Optional(
    list('Cherry-picks requested for the release branch; absent if none.', CherryPickEntity, 100)
  ),
  automationsPaused: flag('Whether automations are paused for the release.'),
  imported: flag(
    'Whether it is a past version imported from tags, a store or a table, without steps or events.'
  ),
  createdAt: instant('When the release was drafted, in UTC.'),
  updatedAt: instant('When the release last changed, in UTC.'),
  createdBy: described('Who drafted the release.', ActorEntity),
}

/** A release without the members of extensions. */
export const OwnRelease = Type.Object(releaseMembers)
export type ReleaseOwnMembers = Static<typeof OwnRelease>

/** A release as lists and payloads show it: its own members and those of extensions. */
export const ReleaseEntity = deferred<ReleaseEntity>(() =>
  entity('ReleaseEntity', 'A release: one version of an app.', {
    ...releaseMembers,
    ...added((part) => part.entity?.schema),
  })
)
export type ReleaseEntity = ReleaseOwnMembers & ReleaseMembers

/** Warnings in the answer to an action that was carried out despite them. */
const warnings = Type.Optional(
  list(
    'Warnings about the action; absent if none.',
    object('A warning that did not prevent the action.', {
      code: nonEmpty('Code of the warning, such as `frozen`.', 64),
      message: nonEmpty('Human-readable description.', 1000),
    }),
    100
  )
)

/** A release in the answer to an action that was carried out despite warnings. */
export const WarnedReleaseEntity = deferred<ReleaseEntity & { warnings?: ReleaseWarning[] }>(() =>
  extending('WarnedReleaseEntity', 'A release, with warnings about the action.', ReleaseEntity, {
    warnings,
  })
)

const KickoffReleaseStepData = entity('KickoffReleaseStepData', 'Data of a kickoff step.', {
  branch: nullable(nonEmpty('The release branch; null until known.', 256)),
  bump: nullable(nonEmpty('The version written into the code; null if none was.', 64)),
})

/** The data of a step, by the step's type. A type without data of its own has an empty object. */
const ReleaseStepData = deferred<Record<string, unknown>>(() =>
  anyData(
    'ReleaseStepData',
    'Data of a step; the `type` of the step determines its schema.',
    stepData(),
    OtherReleaseStepData
  )
)

const stepMembers = {
  id: id('Id of the step within the release, called `stepId` elsewhere.'),
  stepConfigId: id('Id of the step in the workflow of the app.'),
  releaseId: releaseId(),
  name: nonEmpty('Name of the step.', 210),
  type: described('Type of the step.', ReleaseStepTypeSchema),
  status: described('Status of the step in its current run.', ReleaseStepStatusSchema),
  required: flag('Whether release readiness depends on the step.'),
  hidden: flag('Whether the timeline hides the step, as apps can demand for optional ones.'),
  ...stepPlaceMembers,
  stepRunId: id('Id of the current attempt at the step.'),
  statusChangedAt: nullable(instant('When the status last changed, in UTC; null if it never has.')),
  data: described('Data of the step, by its type.', ReleaseStepData),
}

/** A step without the members of extensions. */
export const OwnReleaseStep = Type.Object(stepMembers)

/** A step of a release, with the members of extensions. Its type determines its data. */
export const ReleaseStepEntity = deferred<ReleaseStepEntity>(() => {
  const members = { ...stepMembers, ...added((part) => part.steps?.members) }
  const base = entity('ReleaseStepBase', 'Fields that all steps of a release share.', members)
  return unionByType(
    {
      name: 'ReleaseStepEntity',
      description: 'A step of a release, copied from the workflow of its app',
    },
    base,
    stepData(),
    OtherReleaseStepData
  )
})
export type ReleaseStepEntity = Static<typeof OwnReleaseStep>

/** The whole representation of a release. */
export const Release = deferred<Release>(() =>
  entity('Release', 'A release with its steps.', {
    ...releaseMembers,
    ...added((part) => part.entity?.schema),
    steps: list('Steps of the release, in workflow order.', ReleaseStepEntity, 10_000),
    ...added((part) => part.detail?.schema),
  })
)
export type Release = ReleaseEntity & { steps: ReleaseStepEntity[] } & ReleaseDetailMembers

function added(schemaOf: (shown: PresentationExtension) => TProperties | undefined): TProperties {
  const shown = releaseExtensions.all.flatMap(({ presentation }) => presentation ?? [])
  return Object.assign({}, ...shown.map(schemaOf))
}

/** Returns the schemas of step data, by type. */
function stepData(): DataByType {
  const given = releaseExtensions.all.map(({ presentation }) => presentation?.steps?.data)
  return Object.assign({ kickoff: KickoffReleaseStepData }, ...given)
}

/** Returns the schemas of run data, by type: decisions of people, and the data of extensions. */
function runData(): DataByType {
  const own: DataByType = {
    approvals: ApprovalStepRunData,
    screenshots: ApprovalStepRunData,
    metadata: MetadataStepRunData,
  }
  return Object.assign(
    own,
    ...releaseExtensions.all.map(({ presentation }) => presentation?.runs?.data)
  )
}

const StepRunData = deferred<Record<string, unknown>>(() =>
  anyData(
    'StepRunData',
    'Data of a step run; the `type` of the step determines its schema.',
    runData(),
    OtherStepRunData
  )
)

const StepRunBase = entity('StepRunBase', 'Fields that all step runs share.', {
  id: id('Id of the attempt, called `stepRunId` elsewhere.'),
  stepId: id('Id of the step within the release.'),
  stepConfigId: id('Id of the step in the workflow of the app.'),
  releaseId: releaseId(),
  type: described('Type of the step.', ReleaseStepTypeSchema),
  status: described('Status of this attempt.', ReleaseStepStatusSchema),
  attempt: Type.Integer({ description: 'Number of the attempt, from 1.', minimum: 1 }),
  startedAt: instant('When the attempt began, in UTC.'),
  completedAt: nullable(instant('When the attempt was completed, in UTC; null until then.')),
  data: described('Data recorded in this attempt, by step type.', StepRunData),
  warnings,
})
export type StepRunEntity = Static<typeof StepRunBase>

/** A run of a step. Its type determines its data. */
export const StepRunEntity = deferred<StepRunEntity>(() =>
  unionByType(
    { name: 'StepRunEntity', description: 'One attempt at a step of a release' },
    StepRunBase,
    runData(),
    OtherStepRunData
  )
)

const hash = (description: string) => Type.String({ description, pattern: '^[0-9a-f]{64}$' })

export const PublicTimelineEvent = entity(
  'PublicTimelineEvent',
  'A timeline entry of a release; entries are never changed or removed.',
  {
    id: id('Id of the entry; for a webhook event, the event id.'),
    type: nonEmpty('Type of the entry: a webhook event, or another such as `release.updated`.', 64),
    title: nonEmpty('Human-readable summary.', 1000),
    occurredAt: instant('When the event happened, in UTC.'),
    actor: described('Who caused the event.', ActorEntity),
    releaseId: releaseId(),
    stepConfigId: nullable(id('Id of the workflow step concerned; null for the whole release.')),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Details of the entry, by its type.',
    }),
    position: Type.Integer({ description: 'Position in the timeline, from 1.', minimum: 1 }),
    previousHash: hash(
      '`hash` of the previous entry; for the first entry, a hash unique to the release.'
    ),
    hash: hash('SHA-256 of this entry and `previousHash`, in hexadecimal.'),
  }
)
export type PublicTimelineEvent = Static<typeof PublicTimelineEvent>

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
  words,
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

export const ReleaseStatusSchema = words(RELEASE_STATUSES)
const ReleaseTypeSchema = words(RELEASE_TYPES)
export const ReleaseTimelinePhaseSchema = words(RELEASE_PHASES)
export const ReleaseStepStatusSchema = words(RELEASE_STEP_STATUSES)
export const ReleaseRegressionTestingStatusSchema = words(REGRESSION_STATUSES)

/** The id of a release, wherever one is shown. */
export const releaseId = (description = 'Id of the release, `<appId>:<version>`.') =>
  nonEmpty(description, 240)

/** A version of one to three numeric parts. */
export const versionText = (description: string) => nonEmpty(description, 32)

export const ReleaseTag = entity('ReleaseTag', 'A tag in version control.', {
  name: nonEmpty('Name of the tag.', 256),
  commitHash: nonEmpty('Hash of the commit it marks.', 64),
  version: nullable(versionText('Version it stands for; null if its name does not show it.')),
  createdAt: instant('When it was made, in UTC.'),
  url: nullable(url('Address of the tag; null if version control has no page for it.')),
})

const reached = (what: string) => nullable(instant(`When ${what}, in UTC; null before.`))
const target = (what: string) =>
  nullable(instant(`When the release is to be ${what}, in UTC; null without a target date.`))

const CherryPickEntity = entity(
  'CherryPickEntity',
  'A commit that is to be picked onto a branch.',
  {
    hash: nonEmpty('The commit, as it was named.', 64),
    status: words(
      ['requested', 'failed', 'picked', 'dismissed'],
      'How far it is: `requested` until it was tried. Until it is picked or dismissed the release is not ready.'
    ),
    failure: nullable(
      nonEmpty('Why it could not be picked; null if it could, or was not tried.', 2000)
    ),
    pickedAs: nullable(
      nonEmpty(
        'The commit that it is on the branch; null if it is not, or had nothing to bring.',
        64
      )
    ),
    dismissedBy: nullable(described('Who dismissed it; null unless somebody did.', ActorEntity)),
    dismissedReason: nullable(nonEmpty('Why it was dismissed; null unless it was.', 1000)),
    dismissedAt: nullable(instant('When it was dismissed, in UTC; null unless it was.')),
  }
)

const releaseMembers = {
  id: releaseId('Id of the release, `<appId>:<version>`; it changes with the version.'),
  appId: nonEmpty('Id of the app.', 200),
  version: versionText('Version in one to three numeric parts; `1.2` and `1.2.0` are the same.'),
  releaseName: nullable(nonEmpty('Name beside the version; null without one.', 200)),
  releaseDescription: nullable(text('What the release is about; null without words.', 10_000)),
  releaseType: described('What the release is, by its version or by request.', ReleaseTypeSchema),
  status: described(
    'Whether it waits, is worked on, has shipped or was given up.',
    ReleaseStatusSchema
  ),
  phase: described('How far the release has come.', ReleaseTimelinePhaseSchema),
  releasePilot: nullable(described('Who looks after the release; null for nobody.', Person)),
  releasePilotId: nullable(id('Id of the release pilot; null for nobody.')),
  targetKickoffAt: target('kicked off'),
  targetSubmitAt: target('submitted for review'),
  targetReleaseAt: target('released to users'),
  inAppUpdatePriority: nullable(
    Type.Integer({
      description:
        'How urgent apps call the update, 0 to 5; its next submission to Google Play brings it. Null for that of the app, and in other stores.',
      minimum: 0,
      maximum: 5,
    })
  ),
  kickedOffAt: reached('the work on it started'),
  submittedAt: reached('it was submitted for review'),
  approvedAt: reached('the store approved it'),
  releasedAt: reached('it first reached users'),
  completedAt: reached('it was completed'),
  skippedAt: nullable(instant('When it was skipped, in UTC; null unless it is.')),
  releaseBranch: nullable(nonEmpty('Branch the release is built from; null until known.', 256)),
  baseTag: nullable(
    object('Tag a hotfix starts from; null for other releases.', {
      name: nonEmpty('Name of the tag.', 256),
      commitHash: nullable(nonEmpty('Hash of its commit; null if only the name is known.', 64)),
    })
  ),
  tag: nullable(described('Tag of the released version; null until there is one.', ReleaseTag)),
  regressionStatus: described(
    'What regression testing of the release has come to.',
    ReleaseRegressionTestingStatusSchema
  ),
  readyToSubmit: flag('Whether every required step before submission is complete.'),
  readyToRelease: flag('Whether every required step is complete and the store has approved.'),
  rollback: nullable(
    object('What a rollback ships and replaces; null for other releases.', {
      sourceVersion: versionText('Version whose build ships once more.'),
      targetVersion: versionText('Version that is rolled back.'),
    })
  ),
  customMetadata: Type.Optional(
    nullable(
      described(
        'What you keep with the release; null without any. Lists leave it out unless asked.',
        CustomMetadata
      )
    )
  ),
  cherryPicks: Type.Optional(
    list(
      'Commits that were asked to be picked onto its branch; absent if none was.',
      CherryPickEntity,
      100
    )
  ),
  automationsPaused: flag('Whether automations leave the release alone.'),
  imported: flag(
    'Whether it is a past version from tags, a store or a table; it has no steps and no events.'
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
  entity('ReleaseEntity', 'One version of an app on its way to users.', {
    ...releaseMembers,
    ...added((part) => part.entity?.schema),
  })
)
export type ReleaseEntity = ReleaseOwnMembers & ReleaseMembers

/** Warnings in the answer to an action that was carried out despite them. */
const warnings = Type.Optional(
  list(
    'What stood against what was done; absent if nothing did.',
    object('Something that stood against it, and did not stop it.', {
      code: nonEmpty('What it is, such as `frozen`.', 64),
      message: nonEmpty('What it is, for people.', 1000),
    }),
    100
  )
)

/** A release in the answer to an action that was carried out despite warnings. */
export const WarnedReleaseEntity = deferred<ReleaseEntity & { warnings?: ReleaseWarning[] }>(() =>
  extending(
    'WarnedReleaseEntity',
    'A release, and what stood against what was done with it.',
    ReleaseEntity,
    { warnings }
  )
)

const KickoffReleaseStepData = entity('KickoffReleaseStepData', 'Data of a kickoff step.', {
  branch: nullable(nonEmpty('The release branch; null until known.', 256)),
  bump: nullable(nonEmpty('The version written into the code; null if none was.', 64)),
})

/** The data of a step, by the step's type. A type without data of its own has an empty object. */
const ReleaseStepData = deferred<Record<string, unknown>>(() =>
  anyData(
    'ReleaseStepData',
    'What a step of its type holds; the `type` of the step says which.',
    stepData(),
    OtherReleaseStepData
  )
)

const stepMembers = {
  id: id('Id of the step within the release, as `stepId` names it elsewhere.'),
  stepConfigId: id('Id of the step in the workflow of the app.'),
  releaseId: releaseId(),
  name: nonEmpty('Name of the step.', 210),
  type: described('What the step is about.', ReleaseStepTypeSchema),
  status: described('How far the step is, in its current run.', ReleaseStepStatusSchema),
  required: flag('Whether readiness of the release waits for the step.'),
  hidden: flag('Whether the timeline leaves it out, as the app wants of optional steps.'),
  ...stepPlaceMembers,
  stepRunId: id('Id of the current attempt at the step.'),
  statusChangedAt: nullable(instant('When the status last changed, in UTC; null before.')),
  data: described('What a step of this type holds.', ReleaseStepData),
}

/** A step without the members of extensions. */
export const OwnReleaseStep = Type.Object(stepMembers)

/** A step of a release, with the members of extensions. Its type determines its data. */
export const ReleaseStepEntity = deferred<ReleaseStepEntity>(() => {
  const members = { ...stepMembers, ...added((part) => part.steps?.members) }
  const base = entity('ReleaseStepBase', 'What every step of a release has.', members)
  return unionByType(
    {
      name: 'ReleaseStepEntity',
      description: 'A step of one release, copied from the workflow of its app',
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
    steps: list('Its steps, in the order of the workflow.', ReleaseStepEntity, 10_000),
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
    'What a run of a step holds; the `type` of the step says which.',
    runData(),
    OtherStepRunData
  )
)

const StepRunBase = entity('StepRunBase', 'What every attempt at a step has.', {
  id: id('Id of the attempt, as `stepRunId` names it elsewhere.'),
  stepId: id('Id of the step within the release.'),
  stepConfigId: id('Id of the step in the workflow of the app.'),
  releaseId: releaseId(),
  type: described('What the step is about.', ReleaseStepTypeSchema),
  status: described('How far this attempt came.', ReleaseStepStatusSchema),
  attempt: Type.Integer({ description: 'Number of the attempt, from 1.', minimum: 1 }),
  startedAt: instant('When the attempt began, in UTC.'),
  completedAt: nullable(instant('When it was complete, in UTC; null before.')),
  data: described('What was recorded in this attempt, by the type of the step.', StepRunData),
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
  'Something that happened in a release; entries are never changed or removed.',
  {
    id: id('Id of the entry; of a webhook event, its id.'),
    type: nonEmpty('What happened: a webhook event, or `release.updated` and the like.', 64),
    title: nonEmpty('What happened, for people.', 1000),
    occurredAt: instant('When it happened, in UTC.'),
    actor: described('Who did it.', ActorEntity),
    releaseId: releaseId(),
    stepConfigId: nullable(
      id('Id of the step it is about, in the workflow of the app; null for the whole release.')
    ),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What goes with it, by its type.',
    }),
    position: Type.Integer({ description: 'Place in the timeline, from 1.', minimum: 1 }),
    previousHash: hash(
      "`hash` of the entry before; the first has one that is its release's alone."
    ),
    hash: hash('SHA-256 over this entry and `previousHash`, in hexadecimal digits.'),
  }
)
export type PublicTimelineEvent = Static<typeof PublicTimelineEvent>

import { APP, exampleWorkflow, STEP_CONFIGS } from '#apps/examples'
import { ADA, ADA_ACTING, CI_KEY, GRACE, GRACE_ACTING, QA_KEY } from '#organizations/examples'
import type {
  PublicTimelineEvent,
  ReleaseOwnMembers,
  ReleaseStepEntity,
  StepRunEntity,
} from './entities.js'
import { releaseExtensions } from './extensions.js'

/** The release of every example. */
export const RELEASE_ID = 'acme-ios:4.2.0'
export const VERSION = '4.2.0'
export const RELEASE_BRANCH = 'release/4.2.0'
export const COMMIT = '9c1f4b7e2a8d5063f7b2c9e1d4a6805b3c7f2e91'

type StepType = keyof typeof STEP_CONFIGS

export const STEPS: Record<StepType, string> = {
  kickoff: 'step_8fWn1JqL4bTz7GxCe2Ru',
  regressionTesting: 'step_3mYs9DkV6hPa0RtIo5Bl',
  metadata: 'step_6cXg2ZwN8jUe4SvQy1Fd',
  approvals: 'step_1rHb7LpT5oKi9MnAx3Ew',
  submission: 'step_4vEz0GuY2tJs8CqDf6Wm',
}
export const RUNS: Record<StepType, string> = {
  kickoff: 'run_2gNs7BfW9xKe4VjRt1Yc',
  regressionTesting: 'run_5tBk8XaF1yRd3HnPz6Jw',
  metadata: 'run_9kUo3LcM6vZi0QpEs8Tb',
  approvals: 'run_4wHx1DyG7nAj5SfCm2Lr',
  submission: 'run_7eJq6PbK0uTv8NzOg3Xd',
}

const drafted: ReleaseOwnMembers = {
  id: RELEASE_ID,
  appId: APP.id,
  version: VERSION,
  releaseName: 'Winter',
  releaseDescription: 'Passkeys, and a faster start.',
  releaseType: 'minor',
  status: 'active',
  phase: 'upcoming',
  releasePilot: GRACE,
  releasePilotId: GRACE.id,
  targetKickoffAt: '2026-11-16T09:00:00.000Z',
  targetSubmitAt: '2026-11-19T08:30:00.000Z',
  targetReleaseAt: '2026-11-24T09:00:00.000Z',
  inAppUpdatePriority: null,
  kickedOffAt: null,
  submittedAt: null,
  approvedAt: null,
  releasedAt: null,
  completedAt: null,
  skippedAt: null,
  releaseBranch: null,
  baseTag: null,
  tag: null,
  regressionStatus: 'notStarted',
  readyToSubmit: false,
  readyToRelease: false,
  rollback: null,
  customMetadata: { entries: [{ key: 'qaLead', value: GRACE.name }] },
  automationsPaused: false,
  imported: false,
  createdAt: '2026-11-02T09:00:00.000Z',
  updatedAt: '2026-11-02T09:00:00.000Z',
  createdBy: CI_KEY,
}

/** The changes of the example release at each moment, in order. */
const MOMENTS = {
  drafted: {},
  rescheduled: {
    targetReleaseAt: '2026-11-23T09:00:00.000Z',
    updatedAt: '2026-11-04T10:15:00.000Z',
  },
  piloted: {
    releasePilot: ADA,
    releasePilotId: ADA.id,
    updatedAt: '2026-11-05T08:20:00.000Z',
  },
  kickedOff: {
    phase: 'kickedOff',
    kickedOffAt: '2026-11-16T09:00:12.480Z',
    releaseBranch: RELEASE_BRANCH,
    updatedAt: '2026-11-16T09:00:12.480Z',
  },
  testing: { regressionStatus: 'inProgress', updatedAt: '2026-11-17T13:25:40.118Z' },
  tested: { regressionStatus: 'passed', updatedAt: '2026-11-18T10:12:00.000Z' },
  readyToSubmit: {
    phase: 'readyToSubmit',
    readyToSubmit: true,
    updatedAt: '2026-11-18T16:04:21.007Z',
  },
  submitted: {
    phase: 'submitted',
    submittedAt: '2026-11-19T08:31:03.250Z',
    updatedAt: '2026-11-19T08:31:03.250Z',
  },
  approved: {
    phase: 'readyToRelease',
    approvedAt: '2026-11-20T06:45:18.930Z',
    readyToRelease: true,
    updatedAt: '2026-11-20T06:45:18.930Z',
  },
  released: {
    phase: 'rollingOut',
    releasedAt: '2026-11-23T09:00:05.612Z',
    tag: {
      name: 'v4.2.0',
      commitHash: COMMIT,
      version: VERSION,
      createdAt: '2026-11-23T09:00:09.000Z',
      url: 'https://git.acme.example/acme/ios/tags/v4.2.0',
    },
    updatedAt: '2026-11-23T09:00:09.000Z',
  },
  completed: {
    status: 'completed',
    phase: 'released',
    completedAt: '2026-11-30T09:00:00.000Z',
    updatedAt: '2026-11-30T09:00:00.000Z',
  },
} satisfies Record<string, Partial<ReleaseOwnMembers>>

type Moment = keyof typeof MOMENTS

/** Returns the release as it is at a moment, with the members of extensions. */
export function exampleRelease(moment: Moment, members: Partial<ReleaseOwnMembers> = {}) {
  const names = Object.keys(MOMENTS) as Moment[]
  const until = names.slice(0, names.indexOf(moment) + 1).map((name) => MOMENTS[name])
  const parts = releaseExtensions.all.map(({ presentation }) => presentation?.entity?.none)
  return Object.assign({}, drafted, ...until, ...parts, members)
}

/** Returns the release as if it had been skipped before its kickoff. */
export const exampleSkippedRelease = () =>
  exampleRelease('piloted', {
    status: 'skipped',
    phase: 'skipped',
    skippedAt: '2026-11-12T15:00:00.000Z',
    updatedAt: '2026-11-12T15:00:00.000Z',
  })

export const exampleMetadata = drafted.customMetadata!

/** Returns a step while the release is tested, with the members of extensions. */
export function exampleStep(type: StepType): ReleaseStepEntity {
  const { id, name, groupIndex, position, destinationId } = exampleWorkflow.find(
    (step) => step.type === type
  )!
  const isDone = type === 'kickoff'
  const isOpen = type === 'regressionTesting'
  const shown = releaseExtensions.all.flatMap(
    ({ presentation }) => presentation?.steps?.example ?? []
  )
  const kickoff = type === 'kickoff' ? { branch: RELEASE_BRANCH, bump: null } : {}
  return {
    id: STEPS[type],
    stepConfigId: id,
    releaseId: RELEASE_ID,
    name,
    type,
    status: isDone ? 'complete' : isOpen ? 'inProgress' : 'notStarted',
    required: true,
    hidden: false,
    groupIndex,
    position,
    destinationId,
    stepRunId: RUNS[type],
    statusChangedAt: isDone
      ? '2026-11-16T09:00:12.480Z'
      : isOpen
        ? '2026-11-17T13:25:40.118Z'
        : null,
    data: Object.assign(kickoff, ...shown.map(({ data }) => data?.[type])),
    ...Object.assign({}, ...shown.map(({ members }) => members?.(type))),
  }
}

/** Returns some of the release's steps while it is tested. */
export const exampleSteps = () =>
  (['kickoff', 'regressionTesting', 'approvals', 'submission'] as const).map(exampleStep)

/** Returns the release with its steps while it is tested. */
export const exampleReleaseDetail = () => ({
  ...exampleRelease('testing'),
  steps: exampleSteps(),
  ...Object.assign(
    {},
    ...releaseExtensions.all.map(({ presentation }) => presentation?.detail?.example)
  ),
})

/** Returns the release with one step just after it was drafted. */
export const exampleDraftedDetail = () => ({
  ...exampleReleaseDetail(),
  ...exampleRelease('drafted'),
  // One step is enough here, as the example of `getRelease` shows all.
  steps: exampleSteps()
    .slice(0, 1)
    .map((step) => ({
      ...step,
      status: 'notStarted',
      statusChangedAt: null,
      data: step.type === 'kickoff' ? { branch: null, bump: null } : step.data,
    })),
})

function exampleRun(
  type: StepType,
  members: Pick<StepRunEntity, 'status' | 'data' | 'completedAt'>
): StepRunEntity {
  return {
    id: RUNS[type],
    stepId: STEPS[type],
    stepConfigId: STEP_CONFIGS[type],
    releaseId: RELEASE_ID,
    type,
    attempt: 1,
    startedAt: '2026-11-02T09:00:00.000Z',
    ...members,
  }
}

export const exampleRegressionRun = exampleRun('regressionTesting', {
  status: 'complete',
  completedAt: '2026-11-18T10:12:00.000Z',
  data: {
    regressionStatus: 'passed',
    comment: 'Two known issues, both minor.',
    url: 'https://qa.acme.example/runs/512',
    setBy: ADA_ACTING,
    setAt: '2026-11-18T10:12:00.000Z',
    testRuns: [],
  },
})

const texts = [{ locale: 'en-US', whatsNew: 'Log in with a passkey. The app starts faster.' }]

export const exampleMetadataRun = exampleRun('metadata', {
  status: 'inProgress',
  completedAt: null,
  data: {
    localizations: texts,
    editedBy: ADA_ACTING,
    approved: false,
    comment: null,
    decidedBy: null,
    decidedAt: null,
  },
})

export const exampleApprovedRun = exampleRun('metadata', {
  status: 'complete',
  completedAt: '2026-11-18T15:30:00.000Z',
  data: {
    localizations: texts,
    editedBy: ADA_ACTING,
    approved: true,
    comment: null,
    decidedBy: GRACE_ACTING,
    decidedAt: '2026-11-18T15:30:00.000Z',
  },
})

/** Returns the regression testing step once it is complete. */
export function exampleTestedStep(): ReleaseStepEntity {
  const step = exampleStep('regressionTesting')
  return {
    ...step,
    status: 'complete',
    statusChangedAt: '2026-11-18T10:12:00.000Z',
    data: { ...step.data, regressionStatus: 'passed' },
  }
}

/** Returns an approved metadata step. */
export const exampleApprovedStep = (): ReleaseStepEntity => ({
  ...exampleStep('metadata'),
  status: 'complete',
  statusChangedAt: '2026-11-18T15:30:00.000Z',
})

const entry: PublicTimelineEvent = {
  id: 'evt_1Gd6uRy4PjXo8CaLw118',
  type: 'releaseStep.statusChanged',
  title: 'Regression testing: inProgress → complete',
  occurredAt: '2026-11-18T10:12:00.000Z',
  actor: QA_KEY,
  releaseId: RELEASE_ID,
  stepConfigId: STEP_CONFIGS.regressionTesting,
  data: {
    stepId: STEPS.regressionTesting,
    stepRunId: RUNS.regressionTesting,
    from: 'inProgress',
    to: 'complete',
  },
  position: 11,
  previousHash: 'c27e41a9d8b3f60571e4a2c9d6b8f013e5a7c4d1b9f8e60234a5d7c1b0e9f386',
  hash: '0b9e7d35c1a8f46272d3e5b0c9a6f8147e3d1b5a0c8f9e62d4b7a315c6e0f982',
}

const pagination = { limit: 50, hasMore: false, nextCursor: null }

export const exampleReleasePage = () => ({ data: [exampleRelease('testing')], pagination })

export const exampleTimeline = { data: [entry], pagination }

export const exampleWhyNotMoving = {
  releaseId: RELEASE_ID,
  status: 'active',
  phase: 'kickedOff',
  readyToSubmit: false,
  readyToRelease: false,
  steps: [
    {
      stepId: STEPS.metadata,
      stepConfigId: STEP_CONFIGS.metadata,
      name: 'Metadata',
      type: 'metadata',
      status: 'inProgress',
      required: true,
      unmet: [
        {
          code: 'not_approved',
          message: 'The metadata is not approved.',
          who: [{ type: 'userAction', name: 'ApproveScreenshotsMetadata' }],
        },
      ],
      warnings: [],
    },
  ],
  release: [
    {
      code: 'required_step_incomplete',
      message: 'The required step "Metadata" is not complete.',
      subject: { type: 'step', id: STEPS.metadata, name: 'Metadata' },
      who: [{ type: 'userAction', name: 'ApproveScreenshotsMetadata' }],
    },
  ],
  warnings: [
    {
      code: 'fix_approvals_missing',
      message: 'Session is lost after a restart: 1 of 1 approval missing.',
      subject: {
        type: 'fixRequest',
        id: 'fix_7nTy3KbZ9wGc1RqLx5Ms',
        name: 'Session is lost after a restart',
      },
      who: [{ type: 'userAction', name: 'ApproveFixes' }],
    },
  ],
  next: [
    {
      at: '2026-11-18T08:30:00.000Z',
      what: 'submitReminder',
      message: 'A reminder of the target date (submit) is sent.',
    },
  ],
}

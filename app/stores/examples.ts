import { STEP_CONFIGS } from '#apps/examples'
import { exampleMatchedStoreBuild } from '#builds/examples'
import type { StepRunEntity } from '#releases/entities'
import { RELEASE_ID, RUNS, STEPS, VERSION } from '#releases/examples'

const inReview = {
  type: 'apple',
  version: VERSION,
  destinationId: null,
  apple: {
    appStoreState: 'IN_REVIEW',
    releaseType: 'MANUAL',
    earliestReleaseDate: null,
    buildNumber: '4711',
    phasedRelease: null as object | null,
  },
  rejection: null,
  updatedAt: '2026-11-19T21:10:00.000Z',
}

/** The version in the store, by what has just happened to it. */
export const exampleVersions = {
  inReview,
  secondDay: {
    ...inReview,
    apple: {
      ...inReview.apple,
      appStoreState: 'READY_FOR_SALE',
      phasedRelease: {
        state: 'ACTIVE',
        currentDayNumber: 2,
        percentage: 2,
        startDate: '2026-11-23T09:00:00.000Z',
        totalPauseDuration: 0,
      },
    },
    updatedAt: '2026-11-24T09:00:00.000Z',
  },
}

export const exampleStoreBuildId = exampleMatchedStoreBuild.id

const run = (members: Pick<StepRunEntity, 'status' | 'data'>): StepRunEntity => ({
  id: RUNS.submission,
  stepId: STEPS.submission,
  stepConfigId: STEP_CONFIGS.submission,
  releaseId: RELEASE_ID,
  type: 'submission',
  attempt: 1,
  startedAt: '2026-11-02T09:00:00.000Z',
  completedAt: null,
  ...members,
})
const selectedBuilds = [{ ...exampleMatchedStoreBuild, selected: true }]

/** Returns the submission once its build was selected. */
export const exampleSelectedRun = () =>
  run({ status: 'inProgress', data: { selectedBuilds, submittedAt: null, submissionId: null } })

/** The submission on its way to the store. */
export const exampleSubmissionRun = exampleSelectedRun

/** Returns the takeoff once its store was asked. */
export const exampleTakeoffRun = (): StepRunEntity => ({
  id: 'run_6hDk4SvW9mYb2XtRe8Lc',
  stepId: 'step_7pGf3QzN5aUo1JwKi9Bd',
  stepConfigId: 'sc_2xRt6LmH8vCe4YsPn0Jq',
  releaseId: RELEASE_ID,
  type: 'takeoff',
  status: 'inProgress',
  attempt: 1,
  startedAt: '2026-11-02T09:00:00.000Z',
  completedAt: null,
  data: {},
})

/** The plan for the app's first store while the release is being tested. */
export const exampleStorePlan = {
  destinationId: null,
  integrationInstallationId: 'int_6sRv0FmK9tYd3HuCw7Lb',
  standing: 'agreed' as const,
  selectedBuildId: exampleStoreBuildId,
  selectedByHand: false,
  wanted: null,
  rollout: null,
  seen: null,
  nextStage: null,
  inConsole: null,
  question: null,
}

const issue = {
  id: 'issue_5f2b8c0d9e1a4736b8d0',
  title: 'logout',
  reviewCount: 4,
  trend: 'up' as const,
  firstSeenAt: '2026-11-24T07:10:00.000Z',
  lastSeenAt: '2026-11-26T18:22:00.000Z',
}

/** Example reviews of the release. */
export const exampleReviews = {
  data: [
    {
      id: 'review_7bQm3XkT1nVz8RfLe0Ya',
      rating: 2,
      title: 'Logs me out',
      body: 'A logout every morning since the update.',
      author: 'sunny_side',
      locale: 'en-US',
      territory: 'USA',
      version: VERSION,
      createdAt: issue.lastSeenAt,
      destination: { id: null, name: 'App Store', storeType: 'apple' as const },
      data: { device: null, osVersion: null, androidVersionCode: null, developerResponse: null },
      reply: null,
      sentiment: 'negative' as const,
      issueIds: [issue.id],
    },
  ],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
  summary: {
    averageRating: 4.31,
    ratingCount: 118,
    byRating: { 1: 6, 2: 5, 3: 9, 4: 24, 5: 74 },
  },
  issues: [issue],
}

/** Returns an example of a fresh request to a store. */
const exampleAsked = (askedAt: string) => ({
  state: 'pending' as const,
  askedAt,
  askedBy: { type: 'user' as const, id: 'user_8mTq2YcKw5Vz1HnRb4Xe', name: 'Ada Lovelace' },
  reason: null,
  action: null,
})

/** Returns the example review, with a reply that the store has not taken yet. */
export const exampleAnsweredReview = () => ({
  ...exampleReviews.data[0],
  reply: {
    text: 'Sorry for that: 4.2.1 keeps you logged in.',
    ...exampleAsked('2026-11-26T19:00:00.000Z'),
  },
})

/** Returns the beta testing step, with a build on its way to testers. */
export const exampleTestedRun = (): StepRunEntity => ({
  id: 'run_4cWz8NtB6kQe1VyXs0Hm',
  stepId: 'step_3mRd7KpA9xUc5ZgTw2Jf',
  stepConfigId: 'sc_9tLh5YvE2nSb8QaKr4Dx',
  releaseId: RELEASE_ID,
  type: 'betaTesting',
  status: 'notStarted',
  attempt: 1,
  startedAt: '2026-11-02T09:00:00.000Z',
  completedAt: null,
  data: {
    distributions: [
      {
        ...{ appStoreBuildId: exampleStoreBuildId, buildNumber: '4711', destinationId: null },
        groups: ['Everybody'],
        notes: [{ locale: 'en-US', text: 'Log in, and stay so.' }],
        ...exampleAsked('2026-11-17T12:00:00.000Z'),
      },
    ],
  },
})

import {
  actions,
  operation,
  read,
  upload,
  type UploadedFile,
} from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { receiveFile, type SentFile } from '#foundation/api/routes/sent_file'
import { discardFiles } from '#foundation/core/files/stored_files'
import { AppStoreBuildEntity } from '#builds/entities'
import { exampleMatchedStoreBuild } from '#builds/examples'
import { list, pageOf } from '#foundation/core/schemas'
import { exampleRelease, RELEASE_ID } from '#releases/examples'
import { ReleaseEntity, StepRunEntity, WarnedReleaseEntity } from '#releases/entities'
import {
  exampleAnsweredReview,
  exampleReviews,
  exampleSelectedRun,
  exampleStoreBuildId,
  exampleSubmissionRun,
  exampleTakeoffRun,
} from './examples.js'
import type { AttachmentsInput } from './actions/add_review_attachments.js'
import {
  AppStoreReviewEntity,
  AppStoreReviewsEntity,
  ReviewAttachmentEntity,
} from './reviews/review_entities.js'
import {
  attachmentsValidator,
  linkBuildValidator,
  listReviewsValidator,
  listStoreBuildsValidator,
  replyValidator,
  selectBuildsValidator,
  submitValidator,
  takeOffValidator,
  type AttachmentsData,
} from './validators/store_input.js'
import { oneStep, twoSteps } from '#foundation/api/operation/steps'

const stores = lazyController(
  async () => new (await import('./controllers/stores_controller.js')).StoresController()
)
const tag = 'Release'
const RELEASE = '/app/{appId}/release/{releaseId}'

const MIB = 1024 * 1024
const MOST_FILES = 10

/** Stores all files that were sent, or none of them. */
async function receiveFiles({ more = [], data, ...first }: UploadedFile<AttachmentsData>) {
  const files: SentFile[] = []
  const keys: string[] = []
  try {
    for (const each of [first, ...more]) {
      const received = await receiveFile({ ...each, data }, (sent) => sent)
      files.push(received.value)
      keys.push(...received.keys)
    }
  } catch (error) {
    await discardFiles(keys)
    throw error
  }
  return { value: { files, ...data }, keys }
}

const submitBody = {
  kind: 'json',
  name: 'SubmitReleaseRequestBody',
  description: 'How it is submitted.',
  validator: submitValidator,
  example: { submitWithIncompleteSteps: false },
} as const

const takeOffBody = {
  kind: 'json',
  name: 'TakeOffRequestBody',
  description: 'How it goes to users.',
  validator: takeOffValidator,
  example: { force: false },
  optional: true,
} as const

const runAnswer = (description: string, example: () => StepRunEntity) => ({
  200: { description, schema: StepRunEntity, example },
})

export const operations = [
  operation({
    id: 'submitRelease',
    callsOthers: true,
    steps: twoSteps('reaches a store'),
    method: 'PUT',
    path: `${RELEASE}/submit`,
    tag,
    summary: 'Manually submit a release to the app store',
    description:
      'Has the release submitted for review in each of its stores: prepared with the selected build, with the texts of its metadata steps, and submitted. The answer is the release as it stands; `release.submitted` follows once a store has confirmed it, and the submission step says what cannot be submitted. Required steps that are missing are listed (`steps_incomplete`). A release that the store rejected, or was withdrawn, begins another run of its steps. In a freeze it works, and warns.',
    access: actions('SubmitForReview'),
    body: submitBody,
    answers: {
      200: {
        description: 'The release, with `warnings` where something stood against it.',
        schema: WarnedReleaseEntity,
        example: () => exampleRelease('readyToSubmit'),
      },
    },
    errors: [409],
    events: ['releaseStep.statusChanged'],
    precondition: { of: 'getRelease' },
    handle: (call) => stores.submit(call),
  }),
  operation({
    id: 'submitStepRun',
    callsOthers: true,
    steps: twoSteps('reaches a store'),
    method: 'PUT',
    path: `${RELEASE}/step/{stepRunId}/submit`,
    tag,
    summary: 'Submit a step run to the app store',
    description:
      'The same for the stores of one submission step. `step` is followed by the id of its current run; after a rejection the answer is that run as it was left, and the step has a new one.',
    access: actions('SubmitForReview'),
    body: submitBody,
    answers: runAnswer(
      'The run, with `warnings` where something stood against it.',
      exampleSubmissionRun
    ),
    errors: [409],
    events: ['releaseStep.statusChanged'],
    precondition: { of: 'getStepRun' },
    handle: (call) => stores.submitRun(call),
  }),
  operation({
    id: 'developerRejectSubmission',
    callsOthers: true,
    steps: twoSteps('takes the version out of review'),
    method: 'PUT',
    path: `${RELEASE}/developerRejectSubmission`,
    tag,
    summary: 'Developer-reject a build from submission',
    description:
      'Has the release taken out of review, while it waits for its review, is in it, or waits for its release, whatever became of the release itself. The answer is the release as it stands; `appStoreVersion.statusUpdated` follows once the store has let go of it. Google Play makes a draft of it, and sends other changes that are in review again: their releases say so.',
    access: actions('RejectSubmission'),
    answers: {
      200: {
        description: 'The release.',
        schema: ReleaseEntity,
        example: () => exampleRelease('submitted'),
      },
    },
    errors: [409],
    precondition: { of: 'getRelease' },
    handle: (call) => stores.withdraw(call),
  }),
  operation({
    id: 'developerRejectStepRunSubmission',
    callsOthers: true,
    steps: twoSteps('takes the version out of review'),
    method: 'PUT',
    path: `${RELEASE}/stepRun/{stepRunId}/developerRejectSubmission`,
    tag,
    summary: 'Developer-reject a build from submission for a step run',
    description: 'The same for the stores of one submission or review step.',
    access: actions('RejectSubmission'),
    answers: runAnswer('The run.', exampleSubmissionRun),
    errors: [409],
    precondition: { of: 'getStepRun' },
    handle: (call) => stores.withdrawRun(call),
  }),
  operation({
    id: 'takeOffRelease',
    callsOthers: true,
    steps: twoSteps('reaches users'),
    method: 'PUT',
    path: `${RELEASE}/takeoff`,
    tag,
    summary: 'Release an approved version to users',
    description:
      'Has what the store approved released to users, or its rollout begun, in each store of the release that has approved it. The answer is the release as it stands; `release.released` follows once a store has confirmed it. Google Play publishes what managed publishing holds in its console alone: the decision is recorded, `inConsole` of the store’s plan says what a person presses and where, and it is done once the store shows it. What is out, or on its way, stays as it is: repeating it changes nothing. A version that was submitted to Google Play with another first share than its ladder has now is refused (`ladder_changed`) unless `force` is true. In a freeze it works, and warns.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: takeOffBody,
    answers: {
      200: {
        description: 'The release, with `warnings` where something stood against it.',
        schema: WarnedReleaseEntity,
        example: () => exampleRelease('approved'),
      },
    },
    errors: [409],
    precondition: { of: 'getRelease' },
    handle: (call) => stores.takeOff(call),
  }),
  operation({
    id: 'takeOffStepRun',
    callsOthers: true,
    steps: twoSteps('reaches users'),
    method: 'PUT',
    path: `${RELEASE}/stepRun/{stepRunId}/takeoff`,
    tag,
    summary: 'Release an approved version of a step run to users',
    description: 'The same for the stores of one takeoff step, by the id of its current run.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: takeOffBody,
    answers: runAnswer(
      'The run, with `warnings` where something stood against it.',
      exampleTakeoffRun
    ),
    errors: [409],
    precondition: { of: 'getStepRun' },
    handle: (call) => stores.takeOffRun(call),
  }),
  operation({
    id: 'setSelectedBuilds',
    steps: oneStep('another build can be selected until it is submitted'),
    method: 'PUT',
    path: `${RELEASE}/stepRun/{stepRunId}/selectedBuilds`,
    tag,
    summary: 'Set selected app store build for a step run',
    description:
      'Chooses the builds that the release ships, one for each store of a submission step. Until somebody does, the newest that can be submitted is selected; from then on it stays as it was set, also when that is none.',
    access: actions('SelectBuild'),
    body: {
      kind: 'json',
      name: 'SetSelectedBuildsRequestBody',
      description: 'The builds, by destination.',
      validator: selectBuildsValidator,
      example: { builds: [{ appStoreBuildId: exampleStoreBuildId }] },
    },
    answers: runAnswer('The run.', exampleSelectedRun),
    errors: [409],
    events: ['releaseStep.statusChanged'],
    precondition: { of: 'getStepRun' },
    check: (call, errors) => stores.checkSelection(call, errors),
    handle: (call) => stores.select(call),
  }),
  operation({
    id: 'getAppStoreReviews',
    method: 'GET',
    path: '/app/{appId}/reviews',
    tag: 'App',
    summary: 'Get app store reviews',
    description:
      'A page of the reviews that stores have of the app, newest first, with what all those that the filters let through come to: their stars, and what the ones of at most three stars speak of. Those are grouped by the words they share; what the developer answered is no part of it. Reviews are looked at from the first submission on.',
    access: read,
    query: listReviewsValidator,
    answers: {
      200: {
        description: 'A page of reviews, with their summary and issues.',
        schema: AppStoreReviewsEntity,
        example: exampleReviews,
      },
    },
    handle: (call) => stores.reviews(call),
  }),
  operation({
    id: 'replyToAppStoreReview',
    callsOthers: true,
    steps: twoSteps('reaches users'),
    method: 'PUT',
    path: '/app/{appId}/review/{reviewId}/reply',
    tag: 'App',
    summary: 'Answer an app store review',
    description:
      'Has a review answered in its store, in public and in the name of the app; an answer that is there is replaced. The answer is the review as it stands: `reply` says what becomes of it, `data.developerResponse` what the store has. The same text again changes nothing; another one takes the place of one that is not sent yet. What the store refuses stays, with its reason.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: {
      kind: 'json',
      name: 'ReplyToAppStoreReviewRequestBody',
      description: 'The answer.',
      validator: replyValidator,
      example: { text: 'Sorry for that: 4.2.1 keeps you logged in.' },
    },
    answers: {
      200: {
        description: 'The review.',
        schema: AppStoreReviewEntity,
        example: exampleAnsweredReview,
      },
    },
    errors: [409],
    check: (call, errors) => stores.checkReply(call, errors),
    handle: (call) => stores.reply(call),
  }),
  operation<AttachmentsInput>({
    id: 'uploadAppStoreReviewAttachmentFiles',
    steps: oneStep('adds files'),
    method: 'POST',
    path: '/app/{appId}/appStoreReviewAttachmentFiles',
    tag: 'App',
    summary: 'Upload app store review attachment files',
    description: `Keeps files for whoever reviews the app in the App Store: 1 to ${MOST_FILES} parts \`file\` of at most 500 MiB each, with the release they are for in \`data\`.`,
    access: actions('SubmitForReview'),
    body: upload<AttachmentsInput, AttachmentsData>({
      name: 'AppStoreReviewAttachmentFilesRequestFormData',
      description: 'The files as parts `file`, the release they are for as the part `data`.',
      maxBytes: 500 * MIB,
      mostFiles: MOST_FILES,
      data: { validator: attachmentsValidator, example: { releaseId: RELEASE_ID } },
      receive: receiveFiles,
    }),
    answers: {
      200: {
        description: 'The files.',
        schema: list('The files, in the order they were sent.', ReviewAttachmentEntity, MOST_FILES),
        example: [{ id: 'attachment_2kTz6YqW0cMn4BvJr9Ph', fileName: 'login.pdf', size: 48_213 }],
      },
    },
    errors: [409],
    handle: (call) => stores.attach(call),
  }),
  operation({
    id: 'listAppStoreBuilds',
    method: 'GET',
    path: `${RELEASE}/appStoreBuilds`,
    tag,
    summary: 'List builds of a release in stores',
    description: 'A page of the builds that stores have of the release, newest first.',
    beyond: true,
    access: read,
    query: listStoreBuildsValidator,
    answers: {
      200: {
        description: 'A page of builds.',
        schema: pageOf(AppStoreBuildEntity),
        example: {
          data: [exampleMatchedStoreBuild],
          pagination: { limit: 50, hasMore: false, nextCursor: null },
        },
      },
    },
    handle: (call) => stores.builds(call),
  }),
  operation({
    id: 'linkAppStoreBuild',
    steps: oneStep('can be changed back'),
    method: 'PUT',
    path: '/app/{appId}/appStoreBuild/{appStoreBuildId}/ciBuild',
    tag: 'App',
    summary: 'Say which CI build a build of a store is',
    description:
      'For builds that were matched neither by number nor by commit, or with another. What a person said stays; null lets it be looked for again when a build of CI changes.',
    beyond: true,
    access: actions('SelectBuild'),
    body: {
      kind: 'json',
      name: 'LinkAppStoreBuildRequestBody',
      description: 'The build of CI.',
      validator: linkBuildValidator,
      example: { ciBuildId: exampleMatchedStoreBuild.ciBuildId },
    },
    answers: {
      200: {
        description: 'The build of the store.',
        schema: AppStoreBuildEntity,
        example: exampleMatchedStoreBuild,
      },
    },
    events: [
      'ciBuild.appStoreBuildAssociated',
      'releaseStep.statusChanged',
      'release.stepsReadyToSubmit',
      'release.stepsReadyToRelease',
    ],
    handle: (call) => stores.link(call),
  }),
]

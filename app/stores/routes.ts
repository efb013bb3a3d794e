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
const MAX_FILES = 10

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
  description: 'Submission options.',
  validator: submitValidator,
  example: { submitWithIncompleteSteps: false },
} as const

const takeOffBody = {
  kind: 'json',
  name: 'TakeOffRequestBody',
  description: 'Takeoff options.',
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
      'Submits the release for review in each of its stores, with the selected build and the texts of its metadata steps. The response is the current release; `release.submitted` follows once a store has confirmed it, and the submission step shows what cannot be submitted. Incomplete required steps are listed (`steps_incomplete`). A release that was rejected or withdrawn begins another run of its steps. During a freeze, this succeeds with a warning.',
    access: actions('SubmitForReview'),
    body: submitBody,
    responses: {
      200: {
        description: 'The release, with any `warnings`.',
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
      'Submits the release for review in the stores of one submission step, otherwise as for the whole release. `step` is followed by the id of its current run; after a rejection, the response is that run in its final state, and the step has a new one.',
    access: actions('SubmitForReview'),
    body: submitBody,
    responses: runAnswer('The run, with any `warnings`.', exampleSubmissionRun),
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
      'Withdraws the release while it waits for review, is in review or waits for release, whatever its own status. The response is the current release; `appStoreVersion.statusUpdated` follows once the store has withdrawn it. Google Play turns it into a draft and resubmits other changes in review; their releases say so.',
    access: actions('RejectSubmission'),
    responses: {
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
    description:
      'Withdraws the release in the stores of one submission or review step, otherwise as for the whole release.',
    access: actions('RejectSubmission'),
    responses: runAnswer('The run.', exampleSubmissionRun),
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
      'Releases the version to users, or begins its rollout, in each store that has approved it. The response is the current release; `release.released` follows once a store has confirmed it. Google Play publishes what managed publishing holds only from its console: the decision is recorded, `inConsole` of the store’s plan says what a person must press and where, and it is done once the store shows it. What is released or on its way stays as it is, so repeating the request changes nothing. A version submitted to Google Play with a first share other than its ladder’s current one is refused (`ladder_changed`) unless `force` is true. During a freeze, this succeeds with a warning.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: takeOffBody,
    responses: {
      200: {
        description: 'The release, with any `warnings`.',
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
    description:
      'Releases the version in the stores of one takeoff step, by the id of its current run, otherwise as for the whole release.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: takeOffBody,
    responses: runAnswer('The run, with any `warnings`.', exampleTakeoffRun),
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
      'Selects the builds to ship, one for each store of a submission step. Until then, the newest submittable build is selected; afterwards the selection stays as set, even if that is none.',
    access: actions('SelectBuild'),
    body: {
      kind: 'json',
      name: 'SetSelectedBuildsRequestBody',
      description: 'The builds, by destination.',
      validator: selectBuildsValidator,
      example: { builds: [{ appStoreBuildId: exampleStoreBuildId }] },
    },
    responses: runAnswer('The run.', exampleSelectedRun),
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
      'Returns a page of the app’s store reviews, newest first, with a summary of all that match the filters: their stars, and the topics of those with at most three stars. Topics are words shared by several reviews; developer replies are ignored. Reviews are collected from the first submission on.',
    access: read,
    query: listReviewsValidator,
    responses: {
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
      'Replies to a review in its store, publicly and in the name of the app; an existing reply is replaced. The response is the current review: `reply` shows the progress, `data.developerResponse` what the store has. Repeating a text changes nothing; another text replaces one not yet sent. A reply that the store refuses remains, with its reason.',
    beyond: true,
    access: actions('SubmitForReview'),
    body: {
      kind: 'json',
      name: 'ReplyToAppStoreReviewRequestBody',
      description: 'The reply.',
      validator: replyValidator,
      example: { text: 'Sorry for that: 4.2.1 keeps you logged in.' },
    },
    responses: {
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
    description: `Stores files for the App Store’s reviewers of the app: 1 to ${MAX_FILES} parts \`file\` of at most 500 MiB each, with their release in \`data\`.`,
    access: actions('SubmitForReview'),
    body: upload<AttachmentsInput, AttachmentsData>({
      name: 'AppStoreReviewAttachmentFilesRequestFormData',
      description: 'The files as parts `file`, their release as the part `data`.',
      maxBytes: 500 * MIB,
      mostFiles: MAX_FILES,
      data: { validator: attachmentsValidator, example: { releaseId: RELEASE_ID } },
      receive: receiveFiles,
    }),
    responses: {
      200: {
        description: 'The files.',
        schema: list('The files, in the order they were sent.', ReviewAttachmentEntity, MAX_FILES),
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
    description: 'Returns a page of the release’s builds in stores, newest first.',
    beyond: true,
    access: read,
    query: listStoreBuildsValidator,
    responses: {
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
    summary: 'Link a store build to a CI build',
    description:
      'Links a store build that was matched neither by number nor by commit, or to another CI build. The link stays; null removes it, and the build is matched again when a CI build changes.',
    beyond: true,
    access: actions('SelectBuild'),
    body: {
      kind: 'json',
      name: 'LinkAppStoreBuildRequestBody',
      description: 'The CI build.',
      validator: linkBuildValidator,
      example: { ciBuildId: exampleMatchedStoreBuild.ciBuildId },
    },
    responses: {
      200: {
        description: 'The store build.',
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

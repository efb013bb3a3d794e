import { actionsOrOwner, operation, read, upload } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import {
  additionalFileValidator,
  fileAnswers,
  receiveAdditionalFile,
  receiveFile,
  type AdditionalFileInput,
  type SentFile,
} from '#foundation/api/routes/sent_file'
import { pageOf } from '#foundation/core/schemas'
import type { UploadedBuild } from '../actions/upload_build.js'
import { BuildDistroBuildEntity } from '../entities.js'
import { exampleBuild, exampleBuildPage, exampleUploadData } from '../examples.js'
import {
  downloadValidator,
  listBuildsValidator,
  updateBuildValidator,
  uploadBuildValidator,
  type UploadBuildInput,
} from '../validators/build_input.js'
import { oneStep, says, twoSteps, twoStepsIf, type SentBody } from '#foundation/api/operation/steps'
import { MAX_BUILD_BYTES, MAX_FILE_BYTES } from '../vocabulary.js'

const changesExpiry = (body: SentBody) => says(body, 'status', 'expiresAt')

const builds = lazyController(
  async () => new (await import('../controllers/builds_controller.js')).BuildsController()
)
const tag = 'Distribution buckets'

const BUILD = '/app/{appId}/bucket/{bucketId}/build/{buildDistroBuildId}'

const entity = {
  description: 'The build.',
  schema: BuildDistroBuildEntity,
  example: exampleBuild,
}

export const operations = [
  operation({
    id: 'listBucketBuilds',
    method: 'GET',
    path: '/app/{appId}/bucket/{bucketId}/builds',
    tag,
    summary: "Get a bucket's builds",
    description: 'A page of the builds of the bucket, newest first.',
    access: read,
    query: listBuildsValidator,
    answers: {
      200: {
        description: 'A page of builds.',
        schema: pageOf(BuildDistroBuildEntity),
        example: exampleBuildPage,
      },
    },
    handle: (call) => builds.index(call),
  }),
  operation<UploadedBuild>({
    id: 'uploadBucketBuild',
    steps: oneStep('adds a build'),
    method: 'POST',
    path: '/app/{appId}/bucket/{bucketId}/build',
    tag,
    summary: 'Upload a build to a bucket',
    description:
      'Streams a file of at most 4 GiB into the bucket. `data` is JSON as a string and may be left out. Any file is taken, whatever its ending. Needs UploadBuilds, or the level uploader in the bucket.',
    access: actionsOrOwner('UploadBuilds', 'ManageBuckets'),
    body: upload<UploadedBuild, UploadBuildInput>({
      name: 'BuildDistroBuildUploadRequestFormData',
      description: 'The build as the part `file`, what is known of it as the part `data`.',
      maxBytes: MAX_BUILD_BYTES,
      data: {
        validator: uploadBuildValidator,
        example: exampleUploadData,
      },
      receive: (arrived) => receiveFile(arrived, (stored, data) => ({ ...data, ...stored })),
    }),
    answers: { 200: entity },
    errors: [409],
    events: ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable'],
    handle: (call) => builds.store(call),
  }),
  operation({
    id: 'getBucketBuild',
    method: 'GET',
    path: BUILD,
    tag,
    summary: "Get a build's details",
    description: 'The build with its files.',
    access: read,
    answers: { 200: entity },
    handle: (call) => builds.show(call),
  }),
  operation({
    id: 'updateBucketBuild',
    steps: twoStepsIf(
      changesExpiry,
      'to expire it',
      'a build that expired is not installed any more; notes and tags can be changed back'
    ),
    method: 'PATCH',
    path: BUILD,
    tag,
    summary: "Update a build's details",
    description:
      'Changes the notes for testers, the tags or when it expires; the status `expired` ends its time now. An expired build keeps its record, its files go. Needs ManageBuckets, or the level admin in the bucket.',
    access: actionsOrOwner('ManageBuckets'),
    body: {
      kind: 'json',
      name: 'BuildDistroBuildUpdateRequestBody',
      description: 'What is to change; what is absent stays.',
      like: BuildDistroBuildEntity,
      validator: updateBuildValidator,
      example: {
        testerNotes: exampleBuild.testerNotes,
        tags: exampleBuild.tags,
        expiresAt: exampleBuild.expiresAt,
      },
    },
    answers: { 200: entity },
    precondition: { of: 'getBucketBuild', isAnswer: true },
    check: (call, errors) => builds.checkUpdate(call, errors),
    handle: (call) => builds.update(call),
  }),
  operation({
    id: 'deleteBucketBuild',
    steps: twoSteps('destroys the build with its files'),
    method: 'DELETE',
    path: BUILD,
    tag,
    summary: 'Delete a build',
    description:
      'Removes the build with its files. Needs ManageBuckets, or the level admin in the bucket.',
    access: actionsOrOwner('ManageBuckets'),
    answers: { 204: { description: 'It is gone.' } },
    events: ['checklistItem.statusChanged', 'releaseStep.statusChanged'],
    precondition: { of: 'getBucketBuild' },
    handle: (call) => builds.destroy(call),
  }),
  operation({
    id: 'downloadBucketBuild',
    method: 'GET',
    path: `${BUILD}/download`,
    tag,
    summary: 'Download a build',
    description:
      'The artifact of the build, or the additional file that `artifactFileName` names. Takes `Range`, `If-Range` and `If-None-Match`; the tag is the SHA-256 of the file.',
    access: read,
    query: downloadValidator,
    answers: fileAnswers,
    errors: [409, 416],
    handle: (call) => builds.download(call),
  }),
  operation<SentFile>({
    id: 'attachBucketBuildFile',
    steps: twoSteps('destroys the file of the same name'),
    method: 'POST',
    path: `${BUILD}/additionalFiles`,
    tag,
    summary: 'Attach a file to a build',
    description:
      'Attaches one file of at most 1 GiB under its own name or `data.fileName`; a file of the same name is replaced. Needs UploadBuilds, or the level uploader in the bucket.',
    access: actionsOrOwner('UploadBuilds', 'ManageBuckets'),
    body: upload<SentFile, AdditionalFileInput>({
      name: 'BuildDistroBuildAdditionalFileUploadRequestFormData',
      description: 'The file as the part `file`, its name as the part `data`.',
      maxBytes: MAX_FILE_BYTES,
      data: { validator: additionalFileValidator, example: { fileName: 'dSYMs.zip' } },
      receive: receiveAdditionalFile,
    }),
    answers: { 200: entity },
    errors: [409],
    handle: (call) => builds.attach(call),
  }),
  operation({
    id: 'downloadBucketBuildFile',
    method: 'GET',
    path: `${BUILD}/additionalFiles/{fileName}`,
    tag,
    summary: 'Download an additional file of a build',
    description: 'A file that was attached to the build; as with its artifact, parts can be had.',
    access: read,
    answers: fileAnswers,
    errors: [409, 416],
    handle: (call) => builds.showFile(call),
  }),
]

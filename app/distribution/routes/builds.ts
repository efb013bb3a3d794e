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
    description: 'Returns a page of builds in the bucket, newest first.',
    access: read,
    query: listBuildsValidator,
    responses: {
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
      'Streams a file of at most 4 GiB into the bucket. `data` is JSON as a string, and optional. Any file is accepted, whatever its extension. Requires UploadBuilds or the uploader level in the bucket.',
    access: actionsOrOwner('UploadBuilds', 'ManageBuckets'),
    body: upload<UploadedBuild, UploadBuildInput>({
      name: 'BuildDistroBuildUploadRequestFormData',
      description: 'The artifact as part `file`, the details of the build as part `data`.',
      maxBytes: MAX_BUILD_BYTES,
      data: {
        validator: uploadBuildValidator,
        example: exampleUploadData,
      },
      receive: (arrived) => receiveFile(arrived, (stored, data) => ({ ...data, ...stored })),
    }),
    responses: { 200: entity },
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
    description: 'Returns the build with its files.',
    access: read,
    responses: { 200: entity },
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
      'Changes the tester notes, tags or expiry; the status `expired` expires the build now. An expired build keeps its record but loses its files. Requires ManageBuckets or the admin level in the bucket.',
    access: actionsOrOwner('ManageBuckets'),
    body: {
      kind: 'json',
      name: 'BuildDistroBuildUpdateRequestBody',
      description: 'Fields to change; absent fields are kept.',
      like: BuildDistroBuildEntity,
      validator: updateBuildValidator,
      example: {
        testerNotes: exampleBuild.testerNotes,
        tags: exampleBuild.tags,
        expiresAt: exampleBuild.expiresAt,
      },
    },
    responses: { 200: entity },
    precondition: { of: 'getBucketBuild', isResponse: true },
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
      'Deletes the build with its files. Requires ManageBuckets or the admin level in the bucket.',
    access: actionsOrOwner('ManageBuckets'),
    responses: { 204: { description: 'Deleted.' } },
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
      'Returns the artifact, or the additional file that `artifactFileName` names. Supports `Range`, `If-Range` and `If-None-Match`; the ETag is the SHA-256 of the file.',
    access: read,
    query: downloadValidator,
    responses: fileAnswers,
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
      'Attaches one file of at most 1 GiB under its own name or `data.fileName`, replacing a file of the same name. Requires UploadBuilds or the uploader level in the bucket.',
    access: actionsOrOwner('UploadBuilds', 'ManageBuckets'),
    body: upload<SentFile, AdditionalFileInput>({
      name: 'BuildDistroBuildAdditionalFileUploadRequestFormData',
      description: 'The file as part `file`, its name as part `data`.',
      maxBytes: MAX_FILE_BYTES,
      data: { validator: additionalFileValidator, example: { fileName: 'dSYMs.zip' } },
      receive: receiveAdditionalFile,
    }),
    responses: { 200: entity },
    errors: [409],
    handle: (call) => builds.attach(call),
  }),
  operation({
    id: 'downloadBucketBuildFile',
    method: 'GET',
    path: `${BUILD}/additionalFiles/{fileName}`,
    tag,
    summary: 'Download an additional file of a build',
    description: 'Returns a file attached to the build. Supports `Range`, as its artifact does.',
    access: read,
    responses: fileAnswers,
    errors: [409, 416],
    handle: (call) => builds.showFile(call),
  }),
]

import { actions, operation, read, upload } from '#foundation/api/operation/declaration'
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
import { CustomCIBuildEntity } from '../entities.js'
import { exampleCustomBuild, exampleCustomBuildData } from '../examples.js'
import {
  listCustomBuildsValidator,
  uploadCustomBuildValidator,
  type UploadCustomBuildInput,
} from '../validators/custom_build_input.js'
import { oneStep, twoSteps } from '#foundation/api/operation/steps'

const builds = lazyController(
  async () =>
    new (await import('../controllers/custom_builds_controller.js')).CustomBuildsController()
)
const tag = 'App'
const GIB = 1024 ** 3
const BUILDS = '/app/{appId}/integration/{integrationInstallationId}/build'
const BUILD = '/app/{appId}/integration/{integrationId}/build/{buildId}'

const entity = {
  description: 'The build.',
  schema: CustomCIBuildEntity,
  example: exampleCustomBuild,
}

export const operations = [
  operation({
    id: 'listCustomCIBuilds',
    method: 'GET',
    path: BUILDS,
    tag,
    summary: 'List builds of a custom CI integration',
    description:
      'Returns a page of the builds uploaded to a `generic-ci` integration, newest first; `releaseId` or `version` selects those of one release.',
    access: read,
    query: listCustomBuildsValidator,
    responses: {
      200: {
        description: 'A page of builds.',
        schema: pageOf(CustomCIBuildEntity),
        example: {
          data: [exampleCustomBuild],
          pagination: { limit: 50, hasMore: false, nextCursor: null },
        },
      },
    },
    errors: [409],
    handle: (call) => builds.index(call),
  }),
  operation<SentFile & UploadCustomBuildInput>({
    id: 'uploadCustomCIBuild',
    steps: oneStep('adds a build'),
    method: 'POST',
    path: BUILDS,
    tag,
    summary: 'Upload a build for a custom CI integration',
    description:
      'Streams a file of at most 4 GiB to a `generic-ci` integration. `data` is JSON as a string. A build is identified by its workflow and `buildIdentifier`: sending it again advances it from pending through running to its end; a finished build stays unchanged. A successful build is added once to each bucket whose rules match it.',
    access: actions('UploadBuilds'),
    body: upload<SentFile & UploadCustomBuildInput, UploadCustomBuildInput>({
      name: 'CustomCIBuildUploadRequestFormData',
      description: 'The artifact as part `file`, the details of the build as part `data`.',
      maxBytes: 4 * GIB,
      data: { validator: uploadCustomBuildValidator, example: exampleCustomBuildData },
      receive: (arrived) => receiveFile(arrived, (sent, data) => ({ ...data, ...sent })),
    }),
    responses: { 200: entity },
    errors: [409],
    events: [
      'ciBuild.statusChanged',
      'ciBuild.appStoreBuildAssociated',
      'checklistItem.statusChanged',
      'releaseStep.statusChanged',
      'release.stepsReadyToSubmit',
      'release.stepsReadyToRelease',
      'buildDistro.newBuildAvailable',
      'buildDistro.buildArtifactAvailable',
    ],
    check: (call, errors) => builds.checkStore(call, errors),
    handle: (call) => builds.store(call),
  }),
  operation<SentFile>({
    id: 'attachCustomCIBuildFile',
    steps: twoSteps('destroys the file of the same name'),
    method: 'POST',
    path: `${BUILDS}/{buildId}/additionalFiles`,
    tag,
    summary: 'Attach an additional file to a custom CI build',
    description:
      'Attaches one file of at most 1 GiB under its own name or `data.fileName`, replacing a file of the same name. If the file matches the rules of a bucket, the build is added to it.',
    access: actions('UploadBuilds'),
    body: upload<SentFile, AdditionalFileInput>({
      name: 'CustomCIBuildAdditionalFileUploadRequestFormData',
      description: 'The file as part `file`, its name as part `data`.',
      maxBytes: GIB,
      data: { validator: additionalFileValidator, example: { fileName: 'dSYMs.zip' } },
      receive: receiveAdditionalFile,
    }),
    responses: { 200: entity },
    errors: [409],
    events: ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable'],
    handle: (call) => builds.attach(call),
  }),
  operation({
    id: 'downloadCustomCIBuild',
    method: 'GET',
    path: `${BUILD}/download`,
    tag,
    summary: 'Download custom CI build artifact',
    description:
      'Returns the artifact. Supports `Range`, `If-Range` and `If-None-Match`; the ETag is the SHA-256 of the file.',
    access: read,
    responses: fileAnswers,
    errors: [409, 416],
    handle: (call) => builds.download(call),
  }),
  operation({
    id: 'downloadCustomCIBuildFile',
    method: 'GET',
    path: `${BUILD}/additionalFiles/{filename}`,
    tag,
    summary: 'Download custom CI additional file',
    description: 'Returns a file attached to the build. Supports `Range`, as its artifact does.',
    access: read,
    responses: fileAnswers,
    errors: [409, 416],
    handle: (call) => builds.showFile(call),
  }),
]

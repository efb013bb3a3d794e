import { actions, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { fileAnswers } from '#foundation/api/routes/sent_file'
import { TriggeredBuildEntity } from '../entities.js'
import { exampleTriggeredBuild } from '../examples.js'
import { latestBuildValidator, triggerCiValidator } from '../validators/candidate_build_input.js'
import { twoSteps } from '#foundation/api/operation/steps'

const builds = lazyController(
  async () =>
    new (await import('../controllers/candidate_builds_controller.js')).CandidateBuildsController()
)
const tag = 'Release'
const RUN = '/app/{appId}/release/{releaseId}/stepRun/{stepRunId}'

export const operations = [
  operation({
    id: 'downloadLatestBuild',
    method: 'GET',
    path: `${RUN}/build/latest/download`,
    tag,
    summary: 'Download an artifact from the latest CI build',
    description:
      'Returns the artifact of the newest successful build of a release candidate or rollback build step run; `fileName` selects another file. Supports `Range`, `If-Range` and `If-None-Match`; the ETag is the SHA-256 of the file.',
    access: read,
    query: latestBuildValidator,
    responses: fileAnswers,
    errors: [409, 416],
    handle: (call) => builds.download(call),
  }),
  operation({
    id: 'triggerCIWorkflow',
    callsOthers: true,
    steps: twoSteps('a CI system begins to build'),
    method: 'POST',
    path: `${RUN}/triggerCI`,
    tag,
    summary: 'Trigger CI workflow for a release-candidate step',
    description:
      'Asks the CI system of the app to run a workflow: by default the integration’s `workflowId` on the release branch. The build is recorded as pending at once and tracked until it ends; it fails if the CI system cannot be called.',
    access: actions('TriggerCIWorkflow'),
    body: {
      kind: 'json',
      name: 'TriggerCIWorkflowEntity',
      description: 'Workflow, branch and inputs, if not the defaults.',
      validator: triggerCiValidator,
      example: { arguments: { lane: 'beta' } },
    },
    responses: {
      200: {
        description: 'The requested build.',
        schema: TriggeredBuildEntity,
        example: exampleTriggeredBuild,
      },
    },
    errors: [409],
    events: ['ciBuild.statusChanged', 'releaseStep.statusChanged'],
    check: (call, errors) => builds.checkTrigger(call, errors),
    handle: (call) => builds.trigger(call),
  }),
]
